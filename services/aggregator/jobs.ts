import type { Adapted } from '../../protocol/adapters/adapt.ts';
import type { ErrorCode } from '../../protocol/errors.ts';
import type { CanonicalEvent } from '../../protocol/events.ts';
import type { StatusReport } from '../../protocol/session.ts';
import type { Fate } from './counters.ts';

/** What became of a payload: dealt with and on disk, either way. `event` is its cut-down form. */
export type Accepted = { readonly ok: true; readonly event: CanonicalEvent } | Refused;
export interface Refused {
  readonly ok: false;
  readonly code: ErrorCode;
  /** For people. */
  readonly message: string;
}

/** How a payload reached the hub. */
export interface AcceptOptions {
  /** False for what was spooled or redelivered: it never alerts as it comes. True when left out. */
  readonly live?: boolean;
  /** True for what a second source has found: no hook was heard with it. False when left out. */
  readonly found?: boolean;
  /** False: whoever sends it hears of its refusal, and nobody else does. True when left out. */
  readonly tell?: boolean;
  /** False: what it says of its time counts for nothing. True when left out. */
  readonly timed?: boolean;
}

/** What a second source has told; there is nothing to answer. */
export interface StatusJob {
  readonly report: StatusReport;
  readonly moment: number;
  readonly arrival: number;
  readonly live: boolean;
}

export interface EventJob {
  readonly provider: string;
  readonly adapted: Adapted;
  readonly fingerprint: string;
  /** Unix ms. */
  readonly arrival: number;
  /** The same on a clock that nobody sets [ms], to measure by. */
  readonly entered: number;
  readonly live: boolean;
  readonly found: boolean;
  readonly tell: boolean;
}

/** What is to be answered to a job, and how it counts. */
export type Dealt =
  | { readonly result: Refused; readonly fate: 'refused' }
  | { readonly result: Exclude<Accepted, Refused>; readonly fate: Exclude<Fate, 'refused'> };

/** One thing that a group deals with. */
export type Job = EventJob | StatusJob;
