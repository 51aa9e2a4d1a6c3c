import { ALERT_SETTLE, REPLAY_FRESH } from '../../protocol/expiry.ts';
import type { SessionPayload } from '../../protocol/messages/session.ts';
import { calling, type Case, type Why } from './case.ts';

/** What is to be done, or noted. */
export type Effect =
  | { readonly do: 'note'; readonly outcome: 'suppressed'; readonly why: Why }
  /** Nothing of this session is to be told any more; what of it is on the phone goes. */
  | { readonly do: 'withdraw'; readonly why: Why };

export interface Look {
  /** Unix ms. */
  readonly now: number;
  /** The message is a happening; false for what was retained. */
  readonly live: boolean;
  /** Nothing is remembered of a former run: what waits already is no news. */
  readonly fresh: boolean;
  /** Was this request told of before? */
  readonly isTold: (attention: string) => boolean;
  readonly wants: (subject: Case['subject']) => boolean;
  /** ms */
  readonly delay: number;
}

export interface Observed {
  readonly next: Case | undefined;
  readonly effects: readonly Effect[];
}

/**
 * What a session's change means for the phone. A wait is told when the hub has counted its alert, which takes the settle time, what was replayed, pauses, snoozes and dialogs of the
 * user's own into account; once for each alert, whatever is sent again.
 * @param session undefined: it is no more
 */
export function observe(known: Case | undefined, session: SessionPayload | undefined, look: Look): Observed {
  const subject = session === undefined ? undefined : subjectOfState(session, look);
  const goesOn = known !== undefined && session !== undefined && isSame(known, session, subject);
  if (goesOn) return subject === 'wait' ? waiting(known, session, look) : { next: known, effects: [] };
  const before = known === undefined ? [] : ending(known, session);
  if (session === undefined || subject === undefined) return { next: undefined, effects: before };
  const begun = subject === 'wait' ? waiting(undefined, session, look) : ended(subject, session, look);
  return { next: begun.next, effects: [...before, ...begun.effects] };
}

function subjectOfState({ state, reason }: SessionPayload, { wants }: Look): Case['subject'] | undefined {
  if (state === 'needs_user') return 'wait';
  // Its end is no failure of a turn (spec: state, rule 7).
  if (state === 'error' && reason !== 'process_gone' && wants('error')) return 'error';
  return state === 'done' && wants('done') ? 'done' : undefined;
}

function isSame(known: Case, session: SessionPayload, subject: Case['subject'] | undefined): boolean {
  if (known.subject !== subject) return false;
  return known.since === session.since || session.attentions.some(({ id }) => known.ids.includes(id));
}

function waiting(known: Case | undefined, session: SessionPayload, look: Look): Observed {
  const { now, live, fresh, wants, isTold, delay } = look;
  const ids = calling(session).map(({ id }) => id);
  const { alerts = 0, snoozed_until } = session;
  const all = [...new Set([...(known?.ids ?? []), ...ids])].slice(-64);
  const next: Case = { ...(known ?? begin('wait', session)), ids: all };
  if (snoozed_until !== undefined && snoozed_until * 1000 > now) {
    const isAbout = next.plan !== undefined || next.sent !== undefined;
    return isAbout ? { next: bare(next), effects: [{ do: 'withdraw', why: 'snoozed' }] } : quiet(next);
  }
  // A pause takes back what would come later by itself.
  if (session.lamp === 'paused' && next.sent?.escalates !== undefined)
    return { next: bare(next), effects: [{ do: 'withdraw', why: 'paused' }] };
  if (alerts <= next.alerts) return wake(next, now);
  const heard = { ...next, alerts };
  if (!wants('wait')) return suppress(heard, 'not_wanted');
  if (!live && fresh) return suppress(heard, 'before_start');
  if (!live && now - session.since * 1000 > REPLAY_FRESH) return suppress(heard, 'old');
  // The same requests again are the same wait, however its state has flickered; after a snooze it is told once more.
  if (known === undefined && ids.length > 0 && ids.every(isTold)) return suppress(heard, 'told_before');
  const due = now + delay;
  return quiet({ ...heard, plan: { at: now, due, ...(delay > 0 && { held: 'delay' as const }) } });
}

function ended(subject: 'error' | 'done', session: SessionPayload, { now, live }: Look): Observed {
  const next = begin(subject, session);
  if (!live || session.replayed === true) return suppress(next, 'before_start');
  if (session.lamp === 'paused') return suppress(next, 'paused');
  return quiet({ ...next, plan: { at: now, due: now + ALERT_SETTLE } });
}

/** A wait that is over, a failure that was gone on from. What was on the phone goes, but what time alone takes away stays true. */
function ending(known: Case, session: SessionPayload | undefined): Effect[] {
  if (known.subject !== 'wait' && session === undefined) {
    return known.plan === undefined ? [] : [{ do: 'note', outcome: 'suppressed', why: 'gone' }];
  }
  const isAcked =
    session !== undefined &&
    session.attentions.some(({ id, acked }) => acked === true && known.ids.includes(id));
  const why = session === undefined ? 'gone' : isAcked ? 'acknowledged' : 'answered';
  if (known.plan !== undefined || known.sent !== undefined) return [{ do: 'withdraw', why }];
  // Over before it had settled, or muted by a pause: the hub has counted no alert.
  if (known.subject === 'wait' && known.alerts === 0)
    return [{ do: 'note', outcome: 'suppressed', why: 'no_alert' }];
  return [];
}

/** What was held until something changes is looked at again. */
function wake(next: Case, now: number): Observed {
  if (next.plan === undefined || next.plan.due !== undefined) return quiet(next);
  return quiet({ ...next, plan: { ...next.plan, due: now } });
}

function begin(subject: Case['subject'], session: SessionPayload): Case {
  return { session: `${session.provider} ${session.key}`, subject, since: session.since, ids: [], alerts: 0 };
}

function bare({ plan: _plan, sent: _sent, ...rest }: Case): Case {
  return rest;
}

function quiet(next: Case): Observed {
  return { next, effects: [] };
}

function suppress(next: Case, why: Why): Observed {
  return { next, effects: [{ do: 'note', outcome: 'suppressed', why }] };
}
