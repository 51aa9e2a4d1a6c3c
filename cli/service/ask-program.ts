import { execFile } from 'node:child_process';
import { SignalboxError } from '../../protocol/errors.ts';
import { plainText } from '../../runtime/plain-text.ts';
import type { CommandContext } from '../context.ts';

/** A service manager waits for its services; one that hangs is not waited for for ever [ms]. */
const ANSWER_WITHIN = 60_000;

export interface Answer {
  readonly good: boolean;
  readonly stdout: string;
  /** What it complained of, or why it could not be asked. */
  readonly complaint: string;
}

/** Runs a program of the system's and waits for its answer. Never rejects. */
export function askProgram(
  program: string,
  args: readonly string[],
  { env }: Pick<CommandContext, 'env'>,
): Promise<Answer> {
  return new Promise((resolve) => {
    execFile(
      program,
      [...args],
      { env, encoding: 'utf8', timeout: ANSWER_WITHIN },
      (error, stdout, stderr) => {
        const complaint = stderr.trim() || (error === null ? '' : error.message);
        resolve({ good: error === null, stdout, complaint });
      },
    );
  });
}

/** The same, where nothing but success will do. @throws SignalboxError `service_refused` */
export async function tellProgram(
  program: string,
  args: readonly string[],
  context: Pick<CommandContext, 'env'>,
  look: string,
): Promise<void> {
  const { good, complaint } = await askProgram(program, args, context);
  if (good) return;
  const command = [program, ...args].join(' ');
  throw new SignalboxError('service_refused', { command, reason: plainText(complaint, 300), look });
}
