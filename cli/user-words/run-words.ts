import { SignalboxError } from '../../protocol/errors.ts';
import { clearedData, pausesData, waitsData } from '../../protocol/messages/words.ts';
import type { CommandContext } from '../context.ts';
import { type Answered, askWord, minutesOf, type WordOptions } from './ask-word.ts';
import { ackText, clearText, pauseText, resumeText, snoozeText } from './said-text.ts';

export interface SnoozeOptions extends WordOptions {
  readonly minutes?: string;
}

export interface ClearOptions extends WordOptions {
  readonly all?: true;
}

/** `signalbox ack`: what waits is known. @throws SignalboxError those of `askWord` */
export async function runAck(options: WordOptions, context: CommandContext): Promise<void> {
  print(await askWord('ack', { options }, waitsData, context), ackText, options, context);
}

/** `signalbox snooze`: what waits is to wait on in silence for a while. @throws SignalboxError `bad_usage`, those of `askWord` */
export async function runSnooze(options: SnoozeOptions, context: CommandContext): Promise<void> {
  const minutes = minutesOf(options.minutes, 'snooze');
  print(await askWord('snooze', { options, minutes }, waitsData, context), snoozeText, options, context);
}

/** `signalbox pause`: lamps `paused`, and no alerts. @throws SignalboxError `bad_usage`, those of `askWord` */
export async function runPause(
  time: string | undefined,
  options: WordOptions,
  context: CommandContext,
): Promise<void> {
  const minutes = minutesOf(time, 'pause');
  print(await askWord('pause', { options, minutes }, pausesData, context), pauseText, options, context);
}

/** `signalbox resume`: ends a pause. @throws SignalboxError those of `askWord` */
export async function runResume(options: WordOptions, context: CommandContext): Promise<void> {
  print(await askWord('resume', { options }, pausesData, context), resumeText, options, context);
}

/** `signalbox clear`: removes records, and resets lamps without a session. All of them only when that is said. @throws SignalboxError `bad_usage`, those of `askWord` */
export async function runClear(options: ClearOptions, context: CommandContext): Promise<void> {
  const { session, provider, all } = options;
  const isNamed = session !== undefined || provider !== undefined;
  if (isNamed === (all === true)) {
    const reason = isNamed
      ? '--all goes with neither a session nor --provider.'
      : 'That would remove every session: say --all for it, or name a session or --provider.';
    throw new SignalboxError('bad_usage', { reason, help: 'signalbox clear --help' });
  }
  print(await askWord('clear', { options }, clearedData, context), clearText, options, context);
}

function print<T>(
  answered: Answered<T>,
  text: (answered: Answered<T>) => string,
  { json }: WordOptions,
  { stdout }: CommandContext,
): void {
  stdout.write(json ? `${JSON.stringify(answered.data, undefined, 2)}\n` : text(answered));
}
