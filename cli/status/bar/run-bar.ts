import { SignalboxError } from '../../../protocol/errors.ts';
import { byUrgency } from '../../../protocol/urgency.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { Bus } from '../../bus.ts';
import type { CommandContext } from '../../context.ts';
import { askHub } from '../../explain/ask-hub.ts';
import { SessionList } from '../../sessions/session-list.ts';
import type { Settings } from '../../settings.ts';
import type { Board } from '../board.ts';
import { followUntilEnd } from '../follow.ts';
import { hubView } from '../hub-view.ts';
import type { StatusOptions } from '../run-status.ts';
import { watchStatus } from '../watch.ts';
import { type Bar, barOf } from './bar.ts';
import type { BarFormat } from './bar-format.ts';
import { clickOf } from './click.ts';
import { showOnBar } from './follow-bar.ts';
import { ownCommand } from './menu-command.ts';

/** What `status` with the format of a status bar is made of. */
export interface BarRun {
  readonly format: BarFormat;
  readonly options: StatusOptions;
  /** Slug of the only one to show. */
  readonly provider: string | undefined;
  readonly settings: Settings;
  readonly bus: Bus;
  readonly board: Board;
  readonly clock: Clock;
  readonly context: CommandContext;
}

/**
 * Shows the signals on a status bar: once, or as long as the bar is there. Without a hub the bar says so, once on stdout beside the error.
 * @throws SignalboxError `no_hub` (without --follow), `subscription_refused`
 */
export async function runBar(run: BarRun): Promise<void> {
  const { format, options, provider, settings, bus, board, clock, context } = run;
  const sessions = new SessionList();
  bus.link.onLost(() => sessions.forget());
  const watch = watchStatus(
    bus,
    board,
    clock,
    format.menu && { name: 'session', take: (message) => sessions.take(message), optional: true },
  );
  const command = ownCommand(context, options);
  const bar = (): Bar =>
    barOf(board.view(), { now: clock.now(), provider, sessions: sessions.all().sort(byUrgency) });

  if (options.follow) {
    const onLine = (line: string): void => {
      const click = clickOf(line);
      // Who may not say it has not said it: what waits stays on the bar.
      if (click !== undefined) void askHub(bus, 'ack', click, { settings, clock }).catch(() => undefined);
    };
    const stream = { format, command, bar, onChange: watch.onChange, clock, context, onLine };
    return await followUntilEnd(watch, context, (onEnd) => showOnBar(stream, onEnd));
  }
  try {
    await hubView(watch, board, bus);
  } catch (error) {
    if (error instanceof SignalboxError && error.code === 'no_hub')
      context.stdout.write(format.once(bar(), command));
    throw error;
  }
  context.stdout.write(format.once(bar(), command));
}
