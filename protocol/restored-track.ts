import { REFOLD_WINDOW } from './expiry.ts';
import { closedTrack, foldIn, NEW_TRACK, type Track } from './fold.ts';
import { isMeaningless } from './irrelevant.ts';
import { eventInput, type RuleSettings, type Session, type SessionFacts } from './session.ts';
import type { LoggedStep } from './table-changes.ts';

/**
 * The window of a session that was stored: what comes late after a restart is put in its place as before it (rule 6). Its log is folded from nothing; where
 * that doesn't amount to what was stored (a status is in no event log), the window is empty, and only what is older than it could be is known to be late.
 */
export function restoredTrack(
  session: Session,
  logged: readonly LoggedStep[],
  settings: RuleSettings,
): Track {
  let facts: SessionFacts | undefined;
  let track = NEW_TRACK;
  for (const step of logged) {
    if ('cleared' in step) {
      facts = undefined;
      track = closedTrack(track);
    } else if ('ack' in step) ({ facts, track } = foldIn(track, facts, step, settings));
    else if (!isMeaningless(step.event))
      ({ facts, track } = foldIn(track, facts, eventInput(step.event, step.arrival), settings));
  }
  if (facts !== undefined && plain(facts) === plain(session)) return track;
  const { last_hook_at = Number.NEGATIVE_INFINITY } = session;
  return { ...NEW_TRACK, closed_until: last_hook_at - REFOLD_WINDOW };
}

/** What is derived from the facts, and kept with them. */
const DERIVED: Readonly<Record<Exclude<keyof Session, keyof SessionFacts>, true>> = {
  key: true,
  project_name: true,
  state: true,
  reason: true,
  lamp: true,
  state_since: true,
  span_since: true,
  last_running_at: true,
  alert_due: true,
  alerted: true,
  muted: true,
  snoozed_until: true,
  replayed: true,
};

/** The facts as text, equal for what is equal: names in order, what is left out like what is undefined. */
function plain(facts: SessionFacts): string {
  const known = Object.entries(facts).filter(([name]) => !Object.hasOwn(DERIVED, name));
  return JSON.stringify(Object.fromEntries(known), (_name, value: unknown) => sorted(value));
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
