import type { Clock } from '../../runtime/clock.ts';
import type { CommandContext } from '../context.ts';
import type { Board } from './board.ts';
import type { StatusFormat } from './format.ts';
import type { StatusWatch } from './watch.ts';

/** What `status --follow` is made of. */
export interface Following {
  readonly watch: StatusWatch;
  readonly board: Board;
  readonly format: StatusFormat;
  readonly clock: Clock;
  readonly context: CommandContext;
}
