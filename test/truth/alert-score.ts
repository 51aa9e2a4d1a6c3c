import type { ReplayedAlert } from '../../protocol/replay.ts';
import { type Edge, type Truth } from './client-truth.ts';
import type { Recording } from './recordings.ts';
import { accountWaits } from './said.ts';
import { doingAt, endOf, isAccountWait, TOLERANCE } from './time-score.ts';

/** A shorter wait needs no alert: it is over before the settle time has passed and the news has come. */
const WORTH_AN_ALERT = 700;

/** An alert, or a wait, that was wrong. Times are milliseconds since the recording's start. */
export interface WrongAlert {
  readonly what: 'false' | 'doubled' | 'missed';
  readonly scenario: string;
  readonly at: number;
  readonly reason: string;
}

export interface AlertScore {
  /** Alerts for a real wait, the first of each. */
  readonly right: number;
  readonly wrong: readonly WrongAlert[];
}

/** One real wait of a session. */
interface Wait {
  readonly from: number;
  readonly to: number;
  /** A dialog that the user has opened outside a turn calls nobody (spec: state, rule 7). */
  readonly by_user: boolean;
}

/**
 * Which alerts were called for. An alert is right while the client waits, or has waited until TOLERANCE ms ago; a question in prose and an account that only the user
 * can mend are waits that no status shows.
 */
export function alertScore(recording: Recording, truth: Truth, alerts: readonly ReplayedAlert[]): AlertScore {
  const end = endOf(recording);
  let right = 0;
  const wrong: WrongAlert[] = [];
  const tell = (what: WrongAlert['what'], at: number, reason: string): void =>
    void wrong.push({ what, scenario: recording.scenario, at, reason });
  for (const { session_id, t_ms, reason } of alerts) if (!truth.has(session_id)) tell('false', t_ms, reason);
  for (const [session, edges] of truth) {
    const waits = waitsOf(edges, end);
    const account = accountWaits(recording, session, end);
    const alerted = new Set<Wait>();
    for (const { t_ms: at, reason, session_id } of alerts) {
      if (session_id !== session || at < (edges[0]?.at ?? end)) continue;
      const wait = waits.find(({ from, to }) => at >= from - TOLERANCE && at < to + TOLERANCE);
      if (wait === undefined) {
        const unseen = reason === 'possible_question' || isAccountWait(account, at);
        if (unseen && doingAt(edges, at) === 'rests') right += 1;
        else tell('false', at, reason);
      } else if (wait.by_user) tell('false', at, reason);
      else if (alerted.has(wait)) tell('doubled', at, reason);
      else {
        alerted.add(wait);
        right += 1;
      }
    }
    for (const wait of waits) {
      if (!wait.by_user && wait.to - wait.from >= WORTH_AN_ALERT && !alerted.has(wait))
        tell('missed', wait.from, '');
    }
  }
  return { right, wrong };
}

/** What the client's own words are for a dialog. */
const DIALOG = 'dialog open';

function waitsOf(edges: readonly Edge[], end: number): Wait[] {
  return edges.flatMap(({ at: from, doing, waiting_for }, index) => {
    if (doing !== 'waits') return [];
    const to = edges[index + 1]?.at ?? Math.max(end, from);
    const before = edges[index - 1]?.doing ?? 'rests';
    return [{ from, to, by_user: waiting_for === DIALOG && before === 'rests' }];
  });
}
