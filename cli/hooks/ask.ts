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

/** The user has broken the questions off, by Ctrl-C or by closing the input. */
export type Answer = 'yes' | 'no' | 'broken off';

/** Asks a yes-or-no question on the terminal; anything but a yes is a no. */
export async function askYes(question: string, { stdin, stdout, ending }: CommandContext): Promise<Answer> {
  const terminal = createInterface({ input: stdin, output: stdout });
  // While it reads, the terminal gives Ctrl-C to it and no signal to us; nor does it answer when it is closed.
  const brokenOff = new Promise<undefined>((resolve) => {
    terminal.once('SIGINT', () => resolve(undefined));
    terminal.once('close', () => resolve(undefined));
    ending().addEventListener('abort', () => resolve(undefined), { once: true });
  });
  try {
    const answer = await Promise.race([terminal.question(`${question} [y/N] `), brokenOff]);
    if (answer !== undefined) return /^y(es)?$/i.test(answer.trim()) ? 'yes' : 'no';
    stdout.write('\n');
    return 'broken off';
  } finally {
    terminal.close();
  }
}
