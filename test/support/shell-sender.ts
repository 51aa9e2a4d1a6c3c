import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SenderFiles, type SenderSource } from '../../hooks/installers/sender-files.ts';
import { temporaryFolder } from './temporary-folder.ts';

const dist = (name: string): string => fileURLToPath(new URL(`../../dist/hooks/${name}`, import.meta.url));

/** The built sender, as `signalbox hooks sender --install` puts it there. */
export function builtSender(more: Partial<SenderSource> = {}): SenderSource {
  return {
    script: readFileSync(dist('signalbox-hook.sh'), 'utf8'),
    program: readFileSync(dist('signalbox-hook.js'), 'utf8'),
    node: process.execPath,
    ...more,
  };
}

/** Installs the sender below a data folder. @returns its path */
export function installSender(home: string, more: Partial<SenderSource> = {}): string {
  const files = new SenderFiles(home, process.platform);
  files.install(builtSender(more));
  return files.path;
}

/** A folder for PATH that has these programs and no others. */
export function pathWith(programs: readonly string[]): string {
  const folder = temporaryFolder();
  for (const program of programs) symlinkSync(locate(program), join(folder, program));
  return folder;
}

const FOLDERS = [...(process.env['PATH'] ?? '').split(':'), '/bin', '/usr/bin', '/usr/sbin'];

function locate(program: string): string {
  for (const folder of FOLDERS) {
    try {
      readFileSync(join(folder, program));
      return join(folder, program);
    } catch {
      // Not in this one.
    }
  }
  throw new Error(`${program} is not here; npm run test:setup installs what the tests need`);
}

/** How the sender can speak: what PATH has then, and how it is started. The first is how agents run it. */
export interface Way {
  readonly name: string;
  readonly tools: readonly string[];
  /** Started by this shell instead of the one in its first line. */
  readonly shell?: string;
  /** It falls back on Node: without it, what arrives has come this way. */
  readonly node?: true;
}

export const WAYS = [
  { name: 'bash', tools: ['cat', 'rm'] },
  { name: 'bash, found by sh', tools: ['bash', 'cat', 'rm'], shell: '/bin/sh' },
  { name: 'mosquitto_pub', tools: ['cat', 'sleep', 'mosquitto_pub', 'curl', 'od', 'tr'], shell: '/bin/sh' },
  { name: 'curl', tools: ['cat', 'sleep', 'curl', 'od', 'tr'], shell: '/bin/sh' },
  { name: 'node', tools: [], shell: '/bin/sh', node: true },
] as const satisfies readonly Way[];

/** Installs the sender so that it can speak in that way alone. */
export function senderByWay(
  home: string,
  { tools, shell, node }: Way,
): { by: string[]; env: { PATH: string } } {
  const path = installSender(home, node ? {} : { node: '/nowhere/node' });
  return { by: shell === undefined ? [path] : [shell, path], env: { PATH: pathWith(tools) } };
}
