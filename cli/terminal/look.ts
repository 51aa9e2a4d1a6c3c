import type { CommandContext } from '../context.ts';
import { canMoveCursor, hasColour } from './colour.ts';

/** How a stream is to be written to. */
export interface Look {
  readonly colour: boolean;
  /** A terminal that understands escape sequences, rather than a pipe. */
  readonly terminal: boolean;
  /** Columns of the terminal; `Infinity` for a pipe. */
  readonly width: number;
  /** Unix ms. */
  readonly now: number;
  /** Lamps move with `now`; still without it. */
  readonly rhythm: boolean;
}

/** How stdout is to be written to at a moment; its width may have changed since. @param now unix ms */
export function lookAt({ stdout, env }: Pick<CommandContext, 'stdout' | 'env'>, now: number): Look {
  const terminal = canMoveCursor(stdout, env);
  return {
    colour: hasColour(stdout, env),
    terminal,
    width: terminal ? stdout.columns : Number.POSITIVE_INFINITY,
    now,
    rhythm: false,
  };
}
