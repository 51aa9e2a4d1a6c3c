import { SignalboxError } from '../../protocol/errors.ts';
import { statsData } from '../../protocol/messages/stats.ts';
import { systemClock } from '../../runtime/clock.ts';
import { openBus } from '../bus.ts';
import type { CommandContext } from '../context.ts';
import { askHub } from '../explain/ask-hub.ts';
import type { SettingOptions } from '../options.ts';
import { loadSettings } from '../settings.ts';
import { lookAt } from '../terminal/look.ts';
import type { StatsGroup } from './stats-groups.ts';
import { statsText } from './stats-text.ts';

export interface StatsOptions extends SettingOptions {
  readonly json?: true;
  readonly days?: number;
  readonly by: StatsGroup;
}

/**
 * `signalbox stats`: how long agents waited for the user.
 * @throws SignalboxError `no_hub`, `needs_socket`, `not_taken`, those of the settings
 */
export async function runStats(options: StatsOptions, context: CommandContext): Promise<void> {
  const settings = loadSettings(context, options);
  const { days, by } = options;
  const clock = systemClock();
  const bus = await openBus(settings, context);
  try {
    const asked = days === undefined ? {} : { days };
    const answer = statsData.safeParse(await askHub(bus, 'stats', asked, { settings, clock }));
    if (!answer.success) {
      const reason = 'the hub answers in a form that this version does not read';
      throw new SignalboxError('unexpected', { reason });
    }
    context.stdout.write(
      options.json
        ? `${JSON.stringify(answer.data, undefined, 2)}\n`
        : statsText(answer.data, by, lookAt(context, clock.now())),
    );
  } finally {
    await bus.link.close();
  }
}
