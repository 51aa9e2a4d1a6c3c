import { isAnimated } from '../../../protocol/curves.ts';
import type { Cancel, Clock } from '../../../runtime/clock.ts';
import type { CommandContext } from '../../context.ts';
import { type Bar, nextMinute } from './bar.ts';
import type { BarFormat } from './bar-format.ts';
import { watchHost } from './host.ts';
import { latestFrame } from './latest-frame.ts';
import type { OwnCommand } from './menu-command.ts';
import { curveOf } from './sign.ts';

/** Between two frames of a moving lamp [ms]: fine enough for the fastest flash, 500 ms. */
const MOVING = 125;

/** What a bar in a stream is made of. */
export interface BarStream {
  readonly format: BarFormat;
  readonly command: OwnCommand;
  /** The bar as it is now. */
  readonly bar: () => Bar;
  /** Calls back for each change. */
  readonly onChange: (callback: () => void) => void;
  readonly clock: Clock;
  readonly context: Pick<CommandContext, 'stdin' | 'stdout' | 'env'>;
  /** A line that the host has sent: a click. */
  readonly onLine: (line: string) => void;
}

/**
 * Writes a frame for each change at once, and for what time alone changes: ages in minutes, and a moving lamp where the host shows one.
 * @param onEnd called when the host is gone; @returns stops it
 */
export function showOnBar(
  { format, command, bar, onChange, clock, context, onLine }: BarStream,
  onEnd: () => void,
): () => void {
  const output = latestFrame(context.stdout, clock);
  let timer: Cancel | undefined;

  function draw(): void {
    timer?.();
    const shown = bar();
    output.show((format.frame ?? format.once)(shown, command));
    const moves = format.animated && isAnimated(curveOf(shown.state));
    const next = moves ? shown.now + MOVING : nextMinute(shown);
    timer = next === undefined ? undefined : clock.at(next, draw);
  }

  if (format.opening !== undefined) context.stdout.write(format.opening);
  onChange(draw);
  const stopJumps = clock.onJump(draw);
  const stopWatching = watchHost(context, clock, {
    onGone: onEnd,
    ...(format.clicks?.(context.env) && { onLine }),
  });
  return () => {
    onChange(() => undefined);
    stopJumps();
    timer?.();
    stopWatching();
  };
}
