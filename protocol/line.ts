import type { SignalPayload } from './messages/signal.ts';
import { ATTENTION_PRIORITY, type AttentionState, type LampState } from './states.ts';

const WORDS: Readonly<Record<Exclude<AttentionState, 'idle'>, string>> = {
  needs_user: 'waiting',
  error: 'failed',
  done: 'done',
  running: 'running',
  unknown: 'not heard of',
};

/** What `line` says when no session is to be named. */
const QUIET: Readonly<Partial<Record<LampState, string>>> = { paused: 'Paused', stale: 'State not known' };

/** The parts of `line`: the project's name is the part that may be shortened (messages/line.ts). */
export interface LineParts {
  readonly before: string;
  readonly name: string;
  readonly after: string;
}

/** One line for all providers: the strongest session of all, and how many more wait beside it (spec: bus, `line`). */
export function composeLine(signals: readonly SignalPayload[], overall: LampState): LineParts {
  const named = signals.filter((signal) => signal.attention.state !== 'idle');
  const first = named.toSorted(
    (a, b) =>
      ATTENTION_PRIORITY[a.attention.state] - ATTENTION_PRIORITY[b.attention.state] ||
      b.attention.since - a.attention.since,
  )[0];
  if (first === undefined) return { before: QUIET[overall] ?? 'Nobody waits', name: '', after: '' };
  const { state, reason, primary_project: project } = first.attention;
  const same = named.filter((signal) => signal.attention.state === state);
  const more = same.reduce((sum, signal) => sum + signal.attention.count, 0) - 1;
  return {
    before: `${first.name} ${WORDS[state as Exclude<AttentionState, 'idle'>]}: `,
    name: project,
    after: `${SHOWN_REASONS.has(state) ? ` (${reasonWord(reason)})` : ''}${more > 0 ? ` +${more}` : ''}`,
  };
}

const SHOWN_REASONS: ReadonlySet<AttentionState> = new Set<AttentionState>(['needs_user', 'error']);

/** `permission_request` is the one reason whose last word only says that something was asked for. */
function reasonWord(reason: string): string {
  return reason.replace(/_request$/, '');
}
