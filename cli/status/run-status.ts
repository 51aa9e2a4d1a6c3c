import { SignalboxError } from '../../protocol/errors.ts';
import { systemClock } from '../../runtime/clock.ts';
import { openBus } from '../bus.ts';
import type { CommandContext } from '../context.ts';
import type { SettingOptions } from '../options.ts';
import { loadSettings, providerNamed } from '../settings.ts';
import { lookAt } from '../terminal/look.ts';
import { Board } from './board.ts';
import { followStatus } from './follow.ts';
import { type FormatName, FORMATS, type StatusFormat } from './format.ts';
import { watchStatus } from './watch.ts';

export interface StatusOptions extends SettingOptions {
  readonly follow?: true;
  readonly json?: true;
  readonly format: FormatName;
  readonly provider?: string;
}

/** `signalbox status`. @throws SignalboxError `no_hub`, `subscription_refused`, `unknown_provider`, those of the settings */
export async function runStatus(options: StatusOptions, context: CommandContext): Promise<void> {
  const settings = loadSettings(context, options);
  const provider = options.provider === undefined ? undefined : providerNamed(options.provider, settings);
  const format: StatusFormat = await FORMATS[options.json ? 'json' : options.format]();
  const clock = systemClock();
  const bus = await openBus(settings, context);
  try {
    const board = new Board(settings.registry, provider);
    const watch = watchStatus(bus, board, clock);
    if (options.follow) return await followStatus({ watch, board, format, clock, context });
    await watch.settled();
    const view = board.view();
    if (view.hub.state !== 'online') {
      const detail = `${bus.where()} answers, but no hub is there: ${view.hub.reason}`;
      throw new SignalboxError('no_hub', { detail });
    }
    context.stdout.write(format.once(view, lookAt(context, clock.now())));
  } finally {
    await bus.link.close();
  }
}
