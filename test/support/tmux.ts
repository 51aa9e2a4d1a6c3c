import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { cliEnvironment, type CliOptions, PROGRAM } from './run-cli.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { until } from './until.ts';

const execute = promisify(execFile);

/** A real terminal of another make, with a shell in it: what a user would see. */
export interface Terminal {
  /** The lines on the screen, without spaces at their ends. */
  screen(): Promise<string[]>;
  /** The same with escape sequences for colours. */
  coloured(): Promise<string>;
  /** Waits until the screen is as it should be. */
  waitFor(condition: (lines: readonly string[]) => boolean): Promise<void>;
  /** Types `signalbox ARGS` into the shell. */
  signalbox(args: string): Promise<void>;
  /** Keys by tmux's names: `C-c`, `Enter`. */
  keys(...keys: string[]): Promise<void>;
  resize(columns: number, rows: number): Promise<void>;
  /** A tmux format, e.g. `#{cursor_flag}`. */
  ask(format: string): Promise<string>;
}

export interface TerminalOptions extends CliOptions {
  readonly columns?: number;
  readonly rows?: number;
}

/** Opens a terminal that is closed with the running test. */
export async function openTerminal(options: TerminalOptions): Promise<Terminal> {
  const { columns = 80, rows = 16 } = options;
  const socket = join(temporaryFolder(), 'tmux');
  const tmux = async (...args: string[]): Promise<string> => {
    const { stdout } = await execute('tmux', ['-S', socket, '-f', '/dev/null', ...args], {
      env: { PATH: process.env['PATH'] ?? '', HOME: options.home, LC_ALL: 'C.UTF-8', TERM: 'xterm-256color' },
    });
    return stdout;
  };
  const variables = Object.entries(cliEnvironment(options)).map(([name, value]) => `${name}=${value}`);
  const shell = [
    'env',
    '-i',
    ...variables,
    'TERM=tmux-256color',
    'LC_ALL=C.UTF-8',
    'PS1=ready$ ',
    // Else it writes one at its end, into a folder that is being removed.
    'HISTFILE=',
    'bash',
    '--norc',
    '--noprofile',
  ];
  onTestFinished(async () => void (await tmux('kill-server').catch(() => undefined)));
  await tmux('new-session', '-d', '-x', String(columns), '-y', String(rows), ...shell);
  const terminal: Terminal = {
    async screen() {
      return (await tmux('capture-pane', '-p')).split('\n').map((line) => line.trimEnd());
    },
    coloured: () => tmux('capture-pane', '-p', '-e'),
    async waitFor(condition) {
      await until(async () => condition(await terminal.screen()));
    },
    async signalbox(args) {
      await tmux('send-keys', '-l', `${process.execPath} ${PROGRAM} ${args}`);
      await tmux('send-keys', 'Enter');
    },
    async keys(...keys) {
      await tmux('send-keys', ...keys);
    },
    async resize(x, y) {
      await tmux('resize-window', '-x', String(x), '-y', String(y));
    },
    ask: async (format) => (await tmux('display-message', '-p', format)).trim(),
  };
  await terminal.waitFor((lines) => lines[0] === 'ready$');
  return terminal;
}
