import type { Scale } from './scale.ts';

/** One line of the table. */
export interface Row {
  readonly name: string;
  readonly value: number;
  /** `ms`, `MB`, `/s`, `µs`, or `x` for a ratio. */
  readonly unit: string;
  /** Left out for what is measured only to be compared with. */
  readonly goal?: Goal;
  /** What each round measured, in the row's unit. */
  readonly rounds?: readonly number[];
}

/** What the specification asks for (spec: quality, section 3). */
export type Goal = { readonly atMost: number } | { readonly atLeast: number };

/** A measurement of the bench: `npm run bench -- NAME` runs it alone. */
export interface Figure {
  readonly name: string;
  /** What is measured, in a line. */
  readonly about: string;
  measure(scale: Scale): Promise<readonly Row[]>;
}

export function isMet({ value, goal }: Row): boolean | undefined {
  if (goal === undefined) return undefined;
  return 'atMost' in goal ? value <= goal.atMost : value >= goal.atLeast;
}
