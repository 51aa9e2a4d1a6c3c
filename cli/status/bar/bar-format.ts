import type { CommandContext } from '../../context.ts';
import type { Bar } from './bar.ts';
import type { OwnCommand } from './menu-command.ts';

/** One host of a status bar: one file in formats/ each, with the escaping of that host. Pure. */
export interface BarFormat {
  readonly kind: 'bar';
  /** What stands in front of the first frame of a stream. */
  readonly opening?: string;
  /** The bar at one moment, with the newline at its end. */
  once(bar: Bar, command: OwnCommand): string;
  /** The same as one frame of a stream; as `once` when left out. Two equal frames are written once. */
  frame?(bar: Bar, command: OwnCommand): string;
  /** Its frames move with `bar.now` while the lamp does. */
  readonly animated?: true;
  /** It has a menu with a row a session. */
  readonly menu?: true;
  /** Whether the host keeps the other end of stdin open for as long as it wants the stream, and sends us lines of clicks there, by its environment. */
  clicks?(env: CommandContext['env']): boolean;
}
