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
export async function askYes(question: string, context: CommandContext): Promise<Answer> {
  const answer = await askLine(`${question} [y/N] `, context);
  if (answer === undefined) return 'broken off';
  return /^y(es)?$/i.test(answer) ? 'yes' : 'no';
}

/** Asks for a text on the terminal, and proposes one that Enter takes. @returns undefined when the user breaks off */
export async function askText(
  question: string,
  proposed: string,
  context: CommandContext,
): Promise<string | undefined> {
  const answer = await askLine(`${question} [${proposed}]: `, context);
  return answer === '' ? proposed : answer;
}

/** @returns undefined when the user breaks off */
async function askLine(
  prompt: string,
  { stdin, stdout, ending }: CommandContext,
): Promise<string | undefined> {
  const terminal = createInterface({ input: stdin, output: stdout });
  // While it reads, the terminal gives Ctrl-C to it and no signal to us; nor does it answer when it is closed.
  const brokenOff = new Promise<undefined>((resolve) => {
    terminal.once('SIGINT', () => resolve(undefined));
    terminal.once('close', () => resolve(undefined));
    ending().addEventListener('abort', () => resolve(undefined), { once: true });
  });
  try {
    const answer = await Promise.race([terminal.question(prompt), brokenOff]);
    if (answer === undefined) stdout.write('\n');
    return answer?.trim();
  } finally {
    terminal.close();
  }
}
