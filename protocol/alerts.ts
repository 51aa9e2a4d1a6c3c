import { ALERT_SETTLE, REPLAY_FRESH } from './expiry.ts';
import type { Session, SessionFacts } from './session.ts';
import { holdsTimers } from './status.ts';

/** When the alert of this wait is due: once, after the settle time. */
export function alertDue(
  facts: SessionFacts,
  before: Session | undefined,
  { now, live }: { now: number; live: boolean },
): number | undefined {
  if (before?.state === 'needs_user' && calls(before)) return before.alert_due;
  return live && calls(facts) ? now + ALERT_SETTLE : undefined;
}

/** A dialog that the user has opened calls nobody. */
function calls(facts: SessionFacts): boolean {
  return facts.attentions.some((open) => open.by_user !== true);
}

/** Does a wait that was found among what was replayed still call for its one alert? It has never alerted, and is young or confirmed by a status (rule 11). */
export function owesAlert(session: Session, now: number): boolean {
  const { state, alerted, alert_due, status, attentions } = session;
  if (state !== 'needs_user' || alerted === true || alert_due !== undefined || !calls(session)) return false;
  const confirmed = status?.value === 'waiting' && holdsTimers(session);
  return confirmed || attentions.some((open) => now - open.moment < REPLAY_FRESH);
}
