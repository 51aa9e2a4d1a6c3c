import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureFolder } from '../../runtime/paths.ts';
import { writeSettings } from './settings-file.ts';

/** What was in place of our hooks before they were put in: uninstalling gives it back byte for byte (spec: agents, section 3). */
export interface Installed {
  /** The agent's file. */
  readonly path: string;
  /** Its text before; null where there was no file. */
  readonly original: string | null;
  /** SHA-256 of the text that was written, in hex: as long as the file has it, nobody else has changed it. */
  readonly written: string;
  /** The outermost folder that was made for the file; left out where its folder was there. */
  readonly made?: string;
}

/** Remembers, for each agent, what its installer found. The folder is private: settings may hold secrets. */
export class InstalledRecords {
  readonly #folder: string;

  /** @param folder made when something is to be kept */
  constructor(folder: string) {
    this.#folder = folder;
  }

  read(provider: string): Installed | undefined {
    try {
      const value: unknown = JSON.parse(readFileSync(this.#path(provider), 'utf8'));
      return isInstalled(value) ? value : undefined;
    } catch {
      // Without it an uninstall takes our hooks out by themselves.
      return undefined;
    }
  }

  /** @throws SignalboxError `folder_unusable`, `settings_unusable` */
  write(provider: string, installed: Installed): void {
    ensureFolder(this.#folder);
    writeSettings(this.#path(provider), `${JSON.stringify(installed)}\n`);
  }

  forget(provider: string): void {
    rmSync(this.#path(provider), { force: true });
  }

  #path(provider: string): string {
    return join(this.#folder, `${provider}.json`);
  }
}

/** SHA-256 in hex. */
export function fingerprintOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function isInstalled(value: unknown): value is Installed {
  const { path, original, written, made } = (value ?? {}) as Partial<Record<keyof Installed, unknown>>;
  return (
    typeof path === 'string' &&
    typeof written === 'string' &&
    (original === null || typeof original === 'string') &&
    (made === undefined || typeof made === 'string')
  );
}
