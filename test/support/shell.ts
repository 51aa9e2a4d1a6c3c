import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export interface Said {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Path of a program of our own dependencies. */
export function dependency(name: string): string {
  return fileURLToPath(new URL(`../../node_modules/.bin/${name}`, import.meta.url));
}

/** Runs somebody else's program to its end, as a user would in a shell; it is killed when the running test is over. */
export async function shell(
  command: string,
  args: readonly string[],
  { input = '' }: { readonly input?: string | Uint8Array } = {},
): Promise<Said> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  // It may end before it has read everything.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() };
}
