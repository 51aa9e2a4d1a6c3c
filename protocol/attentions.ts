import { ASKING_TOOLS, ASKS_FIRST, type Closes } from './event-table.ts';
import type { CanonicalEvent } from './events.ts';
import type { Attention } from './session.ts';
import type { AttentionKind } from './states.ts';

/** What is known of a request when it opens. */
export type Request = Omit<Attention, 'id'>;

/** No agent asks more at once; more would be a flood. */
const MOST = 64;

/**
 * Opens a request, unless the same one is open: keyed by agent, tool and input; a tool that asks by agent and tool alone; without a tool by kind and
 * request id (rule 1). Returns the same array when nothing changes.
 */
export function openRequest(attentions: readonly Attention[], request: Request): readonly Attention[] {
  if (attentions.some((open) => isSameRequest(open, request))) return attentions;
  const told = attentions.findIndex((open) => isTakenOver(open, request));
  if (told >= 0) return attentions.with(told, takeOver(attentions[told] as Attention, request));
  return [...attentions.slice(1 - MOST), { id: requestId(attentions, request), ...request }];
}

/** What a status calls a wait for the user's answer. */
const ANSWERED: ReadonlySet<AttentionKind> = new Set<AttentionKind>([
  'permission',
  'plan_approval',
  'question',
  'elicitation',
]);

/** A wait that a status has told of is the one whose hook comes now (rule 7). */
function isTakenOver({ evidence, kind }: Attention, request: Request): boolean {
  if (evidence.origin !== 'status') return false;
  return kind === 'dialog' ? request.kind === 'dialog' : ANSWERED.has(request.kind);
}

/** The wait stays the same one, begun when it began, and real: only what it asks is known now. */
function takeOver({ id, opened_at, moment }: Attention, request: Request): Attention {
  return raised({ ...request, id, opened_at, moment });
}

/** A request that no longer has to prove itself (rule 8). */
export function raised(open: Attention): Attention {
  const { raise_at: held, ...rest } = open;
  return held === undefined ? open : rest;
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
  return ASKING_TOOLS.has(tool);
}

/** What no tool's end closes. */
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
      return open.kind === 'dialog' && isOfItsAgent(open, event);
    case 'elicitations':
      return open.kind === 'elicitation' && isOfItsAgent(open, event) && isAnswered(open, event) !== false;
    case 'batch':
      return (
        isClosedByAnyTool(open, event) || (open.agent_id === event.agent_id && !OUTLIVES_TOOLS.has(open.kind))
      );
    case 'by_hand':
      return isByHand(event) || (event.provider === ASKS_FIRST && isSameKey(open, event));
    case 'same_key':
      return (
        isAnswered(open, event) ??
        (isByHand(event) || isClosedByAnyTool(open, event) || isSameKey(open, event))
      );
  }
}

/** An event with an agent's id speaks for that agent alone (rule 4). */
function isOfItsAgent(open: Attention, event: CanonicalEvent): boolean {
  return event.agent_id === undefined || event.agent_id === open.agent_id;
}

/** Where both name a request or, for a request with an id, the call it is about, that alone decides; `undefined` where one names none. */
function isAnswered(open: Attention, event: CanonicalEvent): boolean | undefined {
  if (open.request === undefined) return undefined;
  if (event.request !== undefined) return open.request === event.request;
  return open.call === undefined || event.call === undefined ? undefined : open.call === event.call;
}

/** The simple contract: an event that names neither tool nor agent, nor the request it answers, speaks for all of the session's requests. */
function isByHand(event: CanonicalEvent): boolean {
  return event.tool === undefined && event.agent_id === undefined && event.request === undefined;
}

/** What was opened without a tool can't be told apart: any tool's end of its agent closes it, of any agent where it named none. */
function isClosedByAnyTool(open: Attention, event: CanonicalEvent): boolean {
  // A status that has told of a wait tells of its end too, as long as there is one.
  return (
    open.tool === undefined &&
    (open.evidence.origin !== 'status' || open.withdrawn === true) &&
    !OUTLIVES_TOOLS.has(open.kind) &&
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

/** The open requests without those that the test closes; the same array when it closes none. */
export function closeRequests(
  attentions: readonly Attention[],
  closes: (open: Attention) => boolean,
): readonly Attention[] {
  const left = attentions.filter((open) => !closes(open));
  return left.length === attentions.length ? attentions : left;
}
