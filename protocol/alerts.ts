import { ALERT_SETTLE, REPLAY_FRESH } from './expiry.ts';
import type { Attention, Session, SessionFacts } from './session.ts';
import { holdsTimers } from './status.ts';

/** What of a session tells of its alert. */
export type Alerting = Pick<Session, 'alert_due' | 'alerted' | 'muted' | 'snoozed_until'>;

/**
 * The alert of a wait: one, after the settle time, and again when a snooze is over. A pause takes the alert of what begins in it, and the one that comes due in it (spec: state,
 * section 6). @param isPaused was the session paused at that time? @returns `alerts`: now
 */
export function alertingOf(
  facts: SessionFacts & Pick<Session, 'state'>,
  before: Session | undefined,
  at: { readonly now: number; readonly live: boolean },
  isPaused: (time: number) => boolean,
): Alerting & { readonly alerts: boolean } {
  if (facts.state !== 'needs_user') return { alerts: false, ...NOTHING };
  const wasWaiting = before?.state === 'needs_user';
  const known = wasWaiting ? before.alerted : undefined;
  const due = alertDue(facts, before, at);
  const begins = !wasWaiting || (due !== undefined && due !== before.alert_due);
  const isDue = due !== undefined && due <= at.now;
  // One that was held back, and counts only after the pause, began in it all the same.
  const began = begins ? [at.now, newestCall(facts)?.opened_at ?? at.now] : [];
  const mutes = began.some(isPaused) || (!begins && isDue && isPaused(due));
  const alerts = isDue && !mutes;
  return {
    alerts,
    alert_due: isDue || mutes ? undefined : due,
    alerted: alerts ? (known ?? 0) + 1 : known,
    muted: mutes || (wasWaiting && due === undefined && before.muted === true) ? true : undefined,
    snoozed_until: !begins && due !== undefined && !isDue ? before?.snoozed_until : undefined,
  };
}

const NOTHING: Alerting = {
  alert_due: undefined,
  alerted: undefined,
  muted: undefined,
  snoozed_until: undefined,
};

/** When the alert of this wait is due: once, after the settle time. */
function alertDue(
  facts: SessionFacts,
  before: Session | undefined,
  { now, live }: { now: number; live: boolean },
): number | undefined {
  if (!calls(facts)) return undefined;
  if (before?.state === 'needs_user' && calls(before)) return before.alert_due;
  return live ? now + ALERT_SETTLE : undefined;
}

/** The requests that call somebody: not a dialog that the user has opened, nor what the user knows of. */
function calling({ attentions, acked }: SessionFacts): Attention[] {
  return attentions.filter((open) => open.by_user !== true && !acked.includes(open.id));
}

/** Does this wait call anybody? */
export function calls(facts: SessionFacts): boolean {
  return calling(facts).length > 0;
}

/** The newest request that calls somebody; `undefined`: nothing calls. */
export function newestCall(facts: SessionFacts): Attention | undefined {
  return calling(facts).at(-1);
}

/** Does a wait that was found among what was replayed still call for its one alert? It has never alerted, and is young or confirmed by a status (rule 11). */
export function owesAlert(session: Session, now: number): boolean {
  const { state, alerted, muted, alert_due, status, attentions } = session;
  if (state !== 'needs_user' || alerted !== undefined || muted === true) return false;
  if (alert_due !== undefined || !calls(session)) return false;
  const confirmed = status?.value === 'waiting' && holdsTimers(session);
  return confirmed || attentions.some((open) => now - open.moment < REPLAY_FRESH);
}
