import type { Request } from './attentions.ts';
import { ACCOUNT_ERRORS, ASKING_TOOLS, ASKS_FIRST, type EventRow } from './event-table.ts';
import type { CanonicalEvent } from './events.ts';
import { HEADLESS_HOLD, REVIEW_HOLD } from './expiry.ts';
import type { EventInput, SessionFacts } from './session.ts';
import type { AttentionKind } from './states.ts';

/** The request that an event opens; `undefined`: none. */
export function opens(facts: SessionFacts, input: EventInput, row: EventRow): Request | undefined {
  const { event } = input;
  const asks = ASKING_TOOLS.get(event.tool ?? '');
  switch (event.event) {
    case 'PreToolUse':
      return asks === undefined || event.provider === ASKS_FIRST ? undefined : request(asks, facts, input);
    case 'PermissionRequest':
      // Recorded, never raised: nobody is asked (rule 8).
      return event.permission_mode === 'bypassPermissions'
        ? undefined
        : request(asks ?? 'permission', facts, input);
    case 'Stop':
      return event.agent_id === undefined ? asksAtEnd(facts, input) : undefined;
    case 'StopFailure':
      return event.error !== undefined && ACCOUNT_ERRORS.has(event.error)
        ? request('account', facts, input)
        : undefined;
    case 'Notification':
      return request('notification', facts, input);
    default:
      return row.opens === undefined ? undefined : request(row.opens, facts, input);
  }
}

function asksAtEnd(facts: SessionFacts, input: EventInput): Request | undefined {
  if (input.event.plan === true) return request('plan_approval', facts, input);
  return input.event.question === true ? request('possible_question', facts, input) : undefined;
}

/** What a session without a person answers by itself (rule 8). */
const HELD: ReadonlySet<CanonicalEvent['event']> = new Set<CanonicalEvent['event']>([
  'PermissionRequest',
  'PreToolUse',
  'Elicitation',
]);

/** The user reviews the thread's requests, or a model does: then even those that are open have to prove themselves (rule 8). */
export function reviewedBy(facts: SessionFacts, reviewer: string): SessionFacts {
  if (reviewer === 'user') return facts.reviewer === undefined ? facts : { ...facts, reviewer: undefined };
  if (facts.reviewer === reviewer) return facts;
  const held = facts.attentions.map((open) =>
    open.kind === 'permission' ? { ...open, raise_at: open.opened_at + REVIEW_HOLD } : open,
  );
  return { ...facts, reviewer, attentions: held };
}

/** When a request counts; `undefined`: at once. */
function raisedAt(
  kind: AttentionKind,
  facts: SessionFacts,
  { event, arrival }: EventInput,
): number | undefined {
  const headless = (event.entrypoint ?? facts.entrypoint ?? '').startsWith('sdk-');
  if (headless && HELD.has(event.event)) return arrival + HEADLESS_HOLD;
  return facts.reviewer !== undefined && kind === 'permission' ? arrival + REVIEW_HOLD : undefined;
}

export function request(kind: AttentionKind, facts: SessionFacts, input: EventInput): Request {
  const { event, moment, arrival } = input;
  const raise_at = raisedAt(kind, facts, input);
  return {
    kind,
    opened_at: arrival,
    moment,
    ...(event.agent_id !== undefined && { agent_id: event.agent_id }),
    ...(event.tool !== undefined && { tool: event.tool }),
    ...(event.digest !== undefined && { digest: event.digest }),
    ...(event.request !== undefined && { request: event.request }),
    ...(event.call !== undefined && { call: event.call }),
    ...(kind === 'account' && event.error !== undefined && { error: event.error }),
    ...(kind === 'dialog' && !facts.turn.running && facts.queued === undefined && { by_user: true }),
    ...(raise_at !== undefined && { raise_at }),
    evidence: {
      origin: event.signal === undefined ? 'hook' : 'signal',
      what: event.signal ?? event.event,
      at: arrival,
    },
  };
}
