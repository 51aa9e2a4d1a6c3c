import { ASKING_TOOLS, type Closes } from './event-table.ts';
import type { CanonicalEvent } from './events.ts';
import type { Attention } from './session.ts';
import type { AttentionKind } from './states.ts';

/** What is known of a request when it opens. */
export type Request = Omit<Attention, 'id'>;

/**
 * Opens a request, unless the same one is open: keyed by agent, tool and input; a tool that asks by agent and tool alone; without a tool by kind and
 * request id (rule 1). Returns the same array when nothing changes.
 */
export function openRequest(attentions: readonly Attention[], request: Request): readonly Attention[] {
  if (attentions.some((open) => isSameRequest(open, request))) return attentions;
  return [...attentions, { id: requestId(attentions, request), ...request }];
}

function isSameRequest(open: Attention, request: Request): boolean {
  if (open.agent_id !== request.agent_id || open.tool !== request.tool) return false;
  if (request.request !== undefined || open.request !== undefined)
    return open.request === request.request && open.kind === request.kind;
  if (request.tool === undefined) return open.kind === request.kind;
  return isAsking(request.tool) || open.digest === request.digest;
}

function requestId(attentions: readonly Attention[], request: Request): string {
  const base = `${request.kind}-${request.moment.toString(36)}`;
  let id = base;
  for (let copy = 2; attentions.some((open) => open.id === id); copy += 1) id = `${base}-${copy}`;
  return id;
}

function isAsking(tool: string): boolean {
  return ASKING_TOOLS[tool] !== undefined;
}

/** Closed by a tool's end although they name no tool: what is opened so is a permission that lost its tool on the way. */
const CLOSED_BY_ANY_TOOL: ReadonlySet<AttentionKind> = new Set<AttentionKind>([
  'permission',
  'plan_approval',
  'question',
  'notification',
]);
/** What only a prompt, the user's word or a turn's end closes. */
const OUTLIVES_TOOLS: ReadonlySet<AttentionKind> = new Set<AttentionKind>(['account', 'possible_question']);

/** True when the event, by what it closes in the event table, closes this request. */
export function isClosedBy(open: Attention, closes: Closes, event: CanonicalEvent): boolean {
  switch (closes) {
    case 'nothing':
      return false;
    case 'all':
      return true;
    case 'main':
      return open.agent_id === undefined;
    case 'agent':
      return open.agent_id === event.agent_id;
    case 'dialogs':
      return open.kind === 'dialog';
    case 'elicitations':
      return (
        open.kind === 'elicitation' &&
        (open.request === undefined || event.request === undefined || open.request === event.request)
      );
    case 'batch':
      return (
        !OUTLIVES_TOOLS.has(open.kind) && (open.agent_id === event.agent_id || isClosedByAnyTool(open, event))
      );
    case 'by_hand':
      return isByHand(event);
    case 'same_key':
      return isByHand(event) || isClosedByAnyTool(open, event) || isSameKey(open, event);
  }
}

/** The simple contract: an event that names neither tool nor agent speaks for all of the session's requests. */
function isByHand(event: CanonicalEvent): boolean {
  return event.tool === undefined && event.agent_id === undefined;
}

function isClosedByAnyTool(open: Attention, event: CanonicalEvent): boolean {
  return (
    open.tool === undefined &&
    CLOSED_BY_ANY_TOOL.has(open.kind) &&
    (open.agent_id === undefined || open.agent_id === event.agent_id)
  );
}

function isSameKey(open: Attention, event: CanonicalEvent): boolean {
  if (open.tool === undefined || open.tool !== event.tool || open.agent_id !== event.agent_id) return false;
  // The answer changes a question's input. Where a digest is missing on one side, tool and agent are all there is to go by.
  return (
    isAsking(open.tool) ||
    open.digest === undefined ||
    event.digest === undefined ||
    open.digest === event.digest
  );
}

/** Splits the open requests by a test into those that stay and those that are closed. */
export function closeRequests(
  attentions: readonly Attention[],
  closes: (open: Attention) => boolean,
): readonly Attention[] {
  const left = attentions.filter((open) => !closes(open));
  return left.length === attentions.length ? attentions : left;
}
