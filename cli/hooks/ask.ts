import { createInterface } from 'node:readline/promises';
import { SignalboxError } from '../../protocol/errors.ts';
import type { CommandContext } from '../context.ts';

/**
 * Somebody has to be there to be asked.
 * @param help where the user reads on
 * @throws SignalboxError `bad_usage`
 */
export function expectTerminal({ stdin, stdout }: CommandContext, help: string): void {
  if (stdin.isTTY && stdout.isTTY) return;
  const reason = 'There is no terminal to ask on. Look at what would change with --dry-run, then say --yes.';
  throw new SignalboxError('bad_usage', { reason, help });
}

/** Asks a yes-or-no question on the terminal; anything but a yes is a no. */
export async function askYes(question: string, { stdin, stdout, ending }: CommandContext): Promise<boolean> {
  const terminal = createInterface({ input: stdin, output: stdout });
  try {
    const answer = await terminal.question(`${question} [y/N] `, { signal: ending() });
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}
