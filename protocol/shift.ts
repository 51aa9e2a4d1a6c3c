import type { ProviderRecord } from './aggregate.ts';
import type { KnownStatus, Session, SessionFacts } from './session.ts';

/** Moves all times of a session, or of what is known of one: the clock was set, and what was left of each must stay. @param by ms */
export function shiftSession<T extends SessionFacts>(session: T, by: number): T {
  const { turn, status } = session;
  return {
    ...session,
    updated_at: session.updated_at + by,
    created_at: session.created_at + by,
    attentions: session.attentions.map((open) => ({
      ...open,
      opened_at: open.opened_at + by,
      moment: open.moment + by,
      evidence: { ...open.evidence, at: open.evidence.at + by },
      ...(open.raise_at !== undefined && { raise_at: open.raise_at + by }),
    })),
    turn: {
      ...turn,
      ...(turn.started_at !== undefined && { started_at: turn.started_at + by }),
      ...(turn.ended_at !== undefined && { ended_at: turn.ended_at + by }),
      ...(turn.end_seen_at !== undefined && { end_seen_at: turn.end_seen_at + by }),
    },
    open_tools: session.open_tools.map((open) => ({ ...open, at: open.at + by })),
    ...(status !== undefined && { status: shiftStatus(status, by) }),
    ...moved(session, by),
  };
}

function shiftStatus(status: KnownStatus, by: number): KnownStatus {
  const { contested_until: until } = status;
  return {
    ...status,
    at: status.at + by,
    seen_at: status.seen_at + by,
    ...(until !== undefined && { contested_until: until + by }),
  };
}

const OPTIONAL_TIMES = [
  'state_since',
  'span_since',
  'last_running_at',
  'last_hook_at',
  'last_hook_seen_at',
  'resolved_at',
  'edge_at',
  'acked_at',
  'alert_due',
  'snoozed_until',
] as const;

function moved(
  session: SessionFacts & Partial<Session>,
  by: number,
): Partial<Pick<Session, (typeof OPTIONAL_TIMES)[number]>> {
  return Object.fromEntries(
    OPTIONAL_TIMES.flatMap((name) => {
      const time = session[name];
      return time === undefined ? [] : [[name, time + by]];
    }),
  );
}

const RECORD_TIMES = ['fallback_at', 'empty_since', 'hooks_at'] as const;

/** Moves all times of a provider's record; 0 stands for never and stays. @param by ms */
export function shiftRecord(record: ProviderRecord, by: number): ProviderRecord {
  return withTimes(record, (at) => (at === 0 ? 0 : at + by));
}

/** What lies in the future counts from now: the clock was set back while nobody ran. @param now unix ms */
export function recordNotAhead(record: ProviderRecord, now: number): ProviderRecord {
  return withTimes(record, (at) => Math.min(at, now));
}

function withTimes(record: ProviderRecord, move: (at: number) => number): ProviderRecord {
  return { ...record, ...Object.fromEntries(RECORD_TIMES.map((name) => [name, move(record[name])])) };
}
