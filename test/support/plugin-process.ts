import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { until } from './until.ts';

/** An agent's process that has loaded a plugin of ours: Node stands for the Bun that the agents bring. */
export interface PluginProcess {
  /** Calls a handler as the agent does, and waits for it. @returns what it gave back */
  call(name: string, told: unknown): Promise<unknown>;
  /** Runs a text of JavaScript in there, with `handlers` in sight. @returns what it gives back */
  run(code: string): Promise<unknown>;
  /** What it has written of its own, on both outputs. */
  output(): string;
  /** Closes its input, whereupon it ends by itself. */
  end(): Promise<number | null>;
}

/** Reads a line, does what it says, answers on a channel of its own; so what the plugin prints can be told apart. */
const DRIVER = `
import { createInterface } from 'node:readline';
import { writeSync } from 'node:fs';
const [path, folder] = process.argv.slice(1);
const plugin = await import(path);
const handlers = {};
if (plugin.default) plugin.default({ on: (name, handler) => { handlers[name] = handler; } });
else for (const each of Object.values(plugin)) Object.assign(handlers, await each({ directory: folder, worktree: folder }));
for await (const line of createInterface({ input: process.stdin })) {
  const { name, told, code } = JSON.parse(line);
  let answer;
  try {
    const made = code === undefined ? handlers[name]?.(told, {}) : eval(code);
    answer = { gave: (await made) ?? null };
  } catch (error) {
    answer = { threw: String(error) };
  }
  writeSync(3, JSON.stringify(answer) + '\\n');
}
`;

/** Starts one. @param path of the plugin's file @param folder that the agent works in */
export function startPluginProcess(
  path: string,
  folder: string,
  env: Readonly<Record<string, string>> = {},
): PluginProcess {
  // Node of this version reads no TypeScript; Amp's file is JavaScript in all but its name.
  const child = spawn(process.execPath, ['--input-type=module', '-e', DRIVER, path, folder], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, ...env },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  let output = '';
  let answers = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data));
  child.stdio[3]?.on('data', (data: Buffer) => (answers += data));
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });

  async function ask(what: object): Promise<unknown> {
    child.stdin.write(`${JSON.stringify(what)}\n`);
    await until(() => {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`it ended:\n${output}`);
      return answers.includes('\n');
    });
    const answer = JSON.parse(answers) as { gave?: unknown; threw?: string };
    answers = '';
    if (answer.threw !== undefined) throw new Error(answer.threw);
    return answer.gave;
  }

  return {
    call: (name, told) => ask({ name, told }),
    run: (code) => ask({ code }),
    output: () => output,
    async end() {
      child.stdin.end();
      return ((await ended) as [number | null])[0];
    },
  };
}
