import type { ReplayedChange } from '../../protocol/replay.ts';
import { payloadOf, type Recording } from './recordings.ts';

/** What the bus said of a session from `at` on. Times are milliseconds since the recording's start. */
export interface Said {
  readonly at: number;
  readonly state: ReplayedChange['state'];
  readonly reason: string;
}

/** What the bus said of a session, in order. */
export function saidOf(changes: readonly ReplayedChange[], session: string): Said[] {
  return changes
    .filter(({ session_id }) => session_id === session)
    .map(({ t_ms, state, reason }) => ({ at: t_ms, state, reason }));
}

/** A time in which the session can't go on until its user has mended the account: no status shows that. */
export interface AccountWait {
  readonly from: number;
  readonly to: number;
}

const ACCOUNT = new Set(['authentication_failed', 'billing_error']);
const ENDS_IT = new Set(['UserPromptSubmit', 'SessionEnd']);

/** From a failure that only the user can mend to the next prompt, or the session's end. @param end where the recording ends */
export function accountWaits({ lines }: Recording, session: string, end: number): AccountWait[] {
  const hooks = lines.filter((line) => payloadOf(line)?.session_id === session);
  return hooks
    .filter((line) => {
      const { hook_event_name, error = '' } = payloadOf(line) ?? {};
      return hook_event_name === 'StopFailure' && ACCOUNT.has(error);
    })
    .map(({ tMs: from }) => {
      const next = hooks.find(
        (line) => line.tMs > from && ENDS_IT.has(payloadOf(line)?.hook_event_name ?? ''),
      );
      return { from, to: next?.tMs ?? end };
    });
}
