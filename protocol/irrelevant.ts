import type { CanonicalEvent } from './events.ts';
import type { EventInput, SessionFacts } from './session.ts';
import { isEchoedStop } from './turn.ts';

/** Display, file and task events: of no session do they say anything. */
export function isMeaningless(event: CanonicalEvent): boolean {
  return event.event === 'Other' && event.reviewer === undefined;
}

/** True for an event that says nothing new of a session: it is logged and changes nothing. */
export function changesNothing(facts: SessionFacts, input: EventInput): boolean {
  const { event } = input;
  switch (event.event) {
    case 'Other':
      return isMeaningless(event);
    case 'Stop':
    case 'StopFailure':
    case 'Interrupt':
      if (event.agent_id !== undefined) return false;
      if (event.notify === true && facts.turn.id !== undefined) return isOldNews(facts, event);
      return event.event === 'Stop' && isEchoedStop(facts, input);
    case 'SubagentStop':
      // A compaction's: no agent of that name has started, and no background work bears it (rule 4).
      return event.agent_id === undefined || !isKnownAgent(facts, event.agent_id);
    default:
      return false;
  }
}

/** Codex' notify and rollout repeat what a hook has told; of another turn than the last one it is old news anyway. */
function isOldNews({ turn }: SessionFacts, event: CanonicalEvent): boolean {
  if (turn.id !== event.prompt_id) return true;
  return !turn.running && event.plan !== true;
}

function isKnownAgent(facts: SessionFacts, id: string): boolean {
  return (
    facts.agents.includes(id) ||
    facts.background.some((work) => work.id === id) ||
    facts.attentions.some((open) => open.agent_id === id) ||
    facts.open_tools.some((open) => open.agent_id === id)
  );
}
