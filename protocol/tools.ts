import type { CanonicalEvent } from './events.ts';
import type { EventInput, OpenTool, SessionFacts } from './session.ts';

/** No agent runs more at once; more would be a flood. */
const MOST = 64;

type Change = Partial<Pick<SessionFacts, 'open_tools' | 'agents'>>;

/** Keeps the lists of open tool calls and of subagents: an open tool holds timers (rule 10), a known agent gives SubagentStop its meaning (rule 4). */
export function applyTools(facts: SessionFacts, input: EventInput): Change {
  const { event } = input;
  switch (event.event) {
    case 'PreToolUse':
      return event.tool === undefined
        ? {}
        : { open_tools: [...facts.open_tools.slice(1 - MOST), openTool(event, event.tool, input.arrival)] };
    case 'PostToolUse':
    case 'PostToolUseFailure':
    case 'PermissionDenied':
      return { open_tools: closeOne(facts.open_tools, event) };
    case 'PostToolBatch':
      return { open_tools: facts.open_tools.filter((open) => open.agent_id !== event.agent_id) };
    case 'SubagentStart':
      return withAgent(facts, event.agent_id);
    case 'SubagentStop':
      return {
        agents: facts.agents.filter((id) => id !== event.agent_id),
        open_tools: facts.open_tools.filter((open) => open.agent_id !== event.agent_id),
      };
    default:
      return {};
  }
}

function openTool(event: CanonicalEvent, tool: string, at: number): OpenTool {
  return {
    tool,
    at,
    ...(event.agent_id !== undefined && { agent_id: event.agent_id }),
    ...(event.digest !== undefined && { digest: event.digest }),
    ...(event.call !== undefined && { call: event.call }),
  };
}

/** Takes out the call of this id or, without one, the first of the same agent, tool and input; an event that names no tool ends them all, but an answer none. */
function closeOne(open: readonly OpenTool[], event: CanonicalEvent): readonly OpenTool[] {
  if (event.tool === undefined && event.request !== undefined) return open;
  if (event.tool === undefined)
    return open.filter((tool) => event.agent_id !== undefined && tool.agent_id !== event.agent_id);
  const index = open.findIndex((tool) =>
    event.call !== undefined && tool.call !== undefined
      ? tool.call === event.call
      : tool.tool === event.tool && tool.agent_id === event.agent_id && tool.digest === event.digest,
  );
  return index < 0 ? open : open.toSpliced(index, 1);
}

function withAgent(facts: SessionFacts, id: string | undefined): Change {
  return id === undefined || facts.agents.includes(id)
    ? {}
    : { agents: [...facts.agents.slice(1 - MOST), id] };
}
