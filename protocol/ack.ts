import { isRaised } from './derive.ts';
import type { CanonicalEvent } from './events.ts';
import type { AckInput, Attention, SessionFacts } from './session.ts';

/** The user's word with what there was to see when it was said: whatever is found out later of that time, it is said of nothing else. */
export interface SeenAck extends AckInput {
  /** Ids of the requests; they are the same again when the session's events are folded again. */
  readonly seen: readonly string[];
  /** An alert lamp had stayed on. */
  readonly latch: boolean;
}

/** What there is to see of a session at the time of a word. */
export function seenBy(input: AckInput, facts: SessionFacts | undefined): SeenAck {
  const known = facts?.attentions.filter((open) => isRaised(open, facts, input.arrival)) ?? [];
  return { ...input, seen: known.map(({ id }) => id), latch: facts?.latch !== undefined };
}

/**
 * The user knows: what was to be seen counts no more, for state, lamp and alert (spec: state, section 6 "The user's words"). It stays open, so that the same wait is known again when it is
 * told of later. The user's word supports the state as an event does. Pure, like `reduce`.
 */
export function reduceAck(before: SessionFacts | undefined, input: SeenAck): SessionFacts | undefined {
  if (before === undefined || before.gone === true) return before;
  const known = before.attentions.filter((open) => isMeant(open, before, input));
  const ends = input.latch && before.latch !== undefined;
  if (known.length === 0 && !ends) return before;
  return {
    ...before,
    acked: [...stillOpen(before.acked, before.attentions), ...known.map(({ id }) => id)],
    acked_at: input.arrival,
    acked_by: input.ack.by,
    latch: ends ? undefined : before.latch,
    updated_at: Math.max(before.updated_at, input.arrival),
  };
}

/** Is there anything of this session that its user has not acknowledged yet: an open request, or an alert lamp that has stayed on? @param now unix ms */
export function wantsAck(facts: SessionFacts, now: number): boolean {
  if (facts.latch !== undefined && facts.latch !== 'paused' && facts.latch !== 'stale') return true;
  return facts.attentions.some((open) => isRaised(open, facts, now));
}

/**
 * Is this a request that the user could see? One that reached the hub later, however old it is, nobody has seen. But one that turns out to be what a status had told of is the same wait
 * (rule 7).
 */
function isMeant(open: Attention, facts: SessionFacts, { seen, arrival }: SeenAck): boolean {
  if (facts.acked.includes(open.id)) return false;
  // What opened it may turn out to be another event than was thought: then it has another id.
  if (seen.includes(open.id) || (open.opened_at <= arrival && isRaised(open, facts, arrival))) return true;
  const { status, attentions } = facts;
  return (
    seen.length > 0 &&
    status?.value === 'waiting' &&
    status.seen_at <= arrival &&
    open.moment <= status.at &&
    attentions.every(({ opened_at }) => opened_at > arrival)
  );
}

/** What stays acknowledged after an event. A notification without a type tells in words of the wait that is known already. */
export function ackedAfter(
  { acked, attentions: before }: SessionFacts,
  attentions: readonly Attention[],
  event: CanonicalEvent,
): readonly string[] {
  const kept = stillOpen(acked, attentions);
  if (event.event !== 'Notification' || kept.length === 0) return kept;
  const isKnown = attentions.some(
    ({ id, agent_id }) => kept.includes(id) && (event.agent_id === undefined || event.agent_id === agent_id),
  );
  if (!isKnown) return kept;
  return [...kept, ...attentions.filter((open) => !before.includes(open)).map(({ id }) => id)];
}

function stillOpen(acked: readonly string[], attentions: readonly Attention[]): string[] {
  return acked.filter((id) => attentions.some((open) => open.id === id));
}
