import { type EventRow, FIRST_SEEN_OUTSIDE_TURN, NOTIFICATION_TYPES, startState } from './event-table.ts';
import type { CanonicalEvent } from './events.ts';
import { type EventInput, newFacts, type SessionFacts, type Turn } from './session.ts';
import { turnFirstSeen } from './turn.ts';

/** The turn of a session of which nobody knows that it ever had one. */
export const OUTSIDE_TURN: Turn = { running: false, end: 'idle', reason: '' };

/** A record for a session never heard of: in the middle of a turn unless the event says otherwise (rule 2). */
export function firstSeen(input: EventInput, row: EventRow): SessionFacts | undefined {
  const { event } = input;
  if (!row.creates || isCompactStart(event)) return undefined;
  if (event.event === 'Notification' && event.notification !== undefined) {
    const rule = NOTIFICATION_TYPES.get(event.notification);
    if (rule === 'idle')
      return newFacts(event, input.arrival, { ...OUTSIDE_TURN, end: 'fresh', reason: 'session_start' });
    if (rule !== 'confirms' && rule !== 'confirms_elicitation') return undefined;
  }
  if (FIRST_SEEN_OUTSIDE_TURN.has(event.event) || startsItsTurn(event))
    return newFacts(event, input.arrival, OUTSIDE_TURN);
  return newFacts(event, input.arrival, turnFirstSeen(input, row.reason || 'tool_use'));
}

/** The prompt of a session never heard of is not one that was typed during its own turn. */
function startsItsTurn(event: CanonicalEvent): boolean {
  return event.event === 'UserPromptSubmit' && event.agent_id === undefined;
}

/** A SessionStart after a compaction begins nothing. */
export function isCompactStart(event: CanonicalEvent): boolean {
  return event.event === 'SessionStart' && startState(event) === 'unchanged';
}
