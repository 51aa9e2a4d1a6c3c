import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

export interface Child {
  readonly process: ChildProcess;
  /** The next line it prints. */
  line(): Promise<string>;
  /** Gives it the word. */
  go(): void;
  /** As `kill -9`. */
  kill(): Promise<void>;
}

/** Starts programs of the folder children, and waits until each is ready. */
export async function startChildren(name: string, argument: string, count: number): Promise<Child[]> {
  const children = Array.from({ length: count }, () => start(name, argument));
  for (const child of children) {
    const first = await child.line();
    if (first !== 'ready') throw new Error(`${name} says ${first}`);
  }
  return children;
}

function start(name: string, argument: string): Child {
  const script = join(import.meta.dirname, 'children', `${name}.ts`);
  const child = spawn(process.execPath, ['--import', 'tsx', script, argument], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  onTestFinished(kill);
  return {
    process: child,
    line: async () => String((await lines.next()).value),
    go: () => void child.stdin.write('go\n'),
    kill,
  };
}
