import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type CliOptions, type CliResult, runCli } from './run-cli.ts';
import { type HubOptions, type HubProcess, startHub } from './hub.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A user's home folder with agents in it, as the commands see it. */
export interface AgentHome {
  /** HOME. */
  readonly path: string;
  /** The data folder. */
  readonly data: string;
  /** For `runCli`, `openTerminal` and `diagnose`. */
  readonly options: CliOptions;
  cli(args: readonly string[], more?: Partial<CliOptions>): Promise<CliResult>;
  hub(more?: HubOptions): Promise<HubProcess>;
  /** Writes a file below HOME, folders above it included. */
  put(name: string, text: string | Uint8Array): string;
  read(name: string): string;
  has(name: string): boolean;
  /** Puts a program into a folder; the first in PATH unless said. */
  program(name: string, script: string, folder?: string): void;
}

/** @param name of the home folder itself */
export function agentHome(name = 'home', env: Readonly<Record<string, string>> = {}): AgentHome {
  const path = join(temporaryFolder(), name);
  const data = join(path, '.local', 'share', 'signalbox');
  mkdirSync(data, { recursive: true, mode: 0o700 });
  // None of this machine's agents: only what the test puts there.
  const variables = { HOME: path, PATH: `${join(path, 'programs')}:/usr/bin:/bin`, ...env };
  const options: CliOptions = { home: data, env: variables };
  return {
    path,
    data,
    options,
    cli: (args, more = {}) => runCli(args, { ...options, ...more, env: { ...variables, ...more.env } }),
    hub: (more = {}) => startHub({ home: data, ...more, env: { ...variables, ...more.env } }),
    put(file, text) {
      mkdirSync(dirname(join(path, file)), { recursive: true });
      writeFileSync(join(path, file), text);
      return join(path, file);
    },
    read: (file) => readFileSync(join(path, file), 'utf8'),
    has: (file) => existsSync(join(path, file)),
    program(file, script, folder = 'programs') {
      mkdirSync(join(path, folder), { recursive: true });
      writeFileSync(join(path, folder, file), script);
      chmodSync(join(path, folder, file), 0o755);
    },
  };
}

/** A `claude` that tells this version. */
export const claudeOf = (version: string): string => `#!/bin/sh\necho '${version} (Claude Code)'\n`;
