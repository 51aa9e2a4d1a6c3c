import { SignalboxError } from '../../protocol/errors.ts';
import type { Command } from '../../protocol/messages/request.ts';
import { systemClock } from '../../runtime/clock.ts';
import { openBus } from '../bus.ts';
import type { CommandContext } from '../context.ts';
import { askHub } from '../explain/ask-hub.ts';
import type { SettingOptions } from '../options.ts';
import { loadSettings, providerNamed } from '../settings.ts';

/** What every one of the user's words may be given. */
export interface WordOptions extends SettingOptions {
  readonly json?: true;
  readonly provider?: string;
  readonly session?: string;
}

/** A word's answer and what is needed to put it into words. */
export interface Answered<T> {
  readonly data: T;
  /** A provider's name for people. */
  readonly nameOf: (slug: string) => string;
  /** Unix ms. */
  readonly now: number;
}

/** What reads an answer. */
interface Schema<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false };
}

/**
 * Says one of the user's words to the hub: its answer comes when it is done and on disk.
 * @throws SignalboxError `no_such_session`, `ambiguous_session`, `unknown_provider`, `no_hub`, `needs_socket`, `not_taken`, `not_committed`, those of the settings
 */
export async function askWord<T>(
  command: Command,
  { options, minutes }: { readonly options: WordOptions; readonly minutes?: number | undefined },
  schema: Schema<T>,
  context: CommandContext,
): Promise<Answered<T>> {
  const settings = loadSettings(context, options);
  const provider = options.provider === undefined ? undefined : providerNamed(options.provider, settings);
  const asked = {
    ...(options.session !== undefined && { session: options.session }),
    ...(provider !== undefined && { provider }),
    ...(minutes !== undefined && { minutes }),
  };
  const clock = systemClock();
  const bus = await openBus(settings, context);
  try {
    const answer = schema.safeParse(await askHub(bus, command, asked, { settings, clock }));
    if (!answer.success) {
      const reason = 'the hub answers in a form that this version does not read';
      throw new SignalboxError('unexpected', { reason });
    }
    const nameOf = (slug: string): string => settings.registry.find(slug)?.name ?? slug;
    return { data: answer.data, nameOf, now: clock.now() };
  } finally {
    await bus.link.close();
  }
}

/** A week [min]: the hub takes no more. */
const LONGEST = 7 * 24 * 60;

/** Minutes as somebody types them. @param command whose help is named @throws SignalboxError `bad_usage` */
export function minutesOf(text: string | undefined, command: Command): number | undefined {
  if (text === undefined) return undefined;
  const minutes = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (minutes > 0 && minutes <= LONGEST) return minutes;
  const shown = text.slice(0, 40);
  const reason = `"${shown}" is no time: give minutes, a number above 0 and at most ${LONGEST} (a week).`;
  throw new SignalboxError('bad_usage', { reason, help: `signalbox ${command} --help` });
}
