import { systemClock } from '../../runtime/clock.ts';
import { openBus } from '../bus.ts';
import type { CommandContext } from '../context.ts';
import type { SettingOptions } from '../options.ts';
import { loadSettings, providerNamed } from '../settings.ts';
import { lookAt } from '../terminal/look.ts';
import { Board } from './board.ts';
import type { BarFormat } from './bar/bar-format.ts';
import { followUntilEnd, showSignals } from './follow.ts';
import { type FormatName, FORMATS, type StatusFormat } from './format.ts';
import { hubView } from './hub-view.ts';
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
  const format: StatusFormat | BarFormat = await FORMATS[options.json ? 'json' : options.format]();
  const clock = systemClock();
  const bus = await openBus(settings, context);
  try {
    const board = new Board(settings.registry, provider);
    if (format.kind === 'bar') {
      const { runBar } = await import('./bar/run-bar.ts');
      return await runBar({ format, options, provider, settings, bus, board, clock, context });
    }
    const watch = watchStatus(bus, board, clock);
    if (options.follow) {
      const following = { watch, board, format, clock, context };
      return await followUntilEnd(watch, context, (onEnd) => showSignals(following, onEnd));
    }
    const view = await hubView(watch, board, bus);
    context.stdout.write(format.once(view, lookAt(context, clock.now())));
  } finally {
    await bus.link.close();
  }
}
