import { closeRequests, openRequest } from './attentions.ts';
import type { NotificationRule } from './event-table.ts';
import { CONFIRM_QUIET } from './expiry.ts';
import { request } from './requests.ts';
import type { Attention, EventInput, SessionFacts } from './session.ts';
import type { AttentionKind } from './states.ts';
import { forgetTurn, mendAccount } from './turn.ts';

/** What a typed notification changes: it confirms, and opens only what was lost on the way (rule 5). Nothing in it: it confirms what is known. */
export function notifiedChange(
  facts: SessionFacts,
  input: EventInput,
  rule: NotificationRule,
): Partial<SessionFacts> {
  switch (rule) {
    case 'confirms':
    case 'confirms_elicitation': {
      const asks = ASKS_BY_NOTIFICATION.has(facts.provider);
      if (facts.attentions.length > 0 || (!asks && isQuiet(facts, input))) return {};
      const kind = asks ? 'permission' : 'notification';
      return withRequest(facts, input, rule === 'confirms' ? kind : 'elicitation');
    }
    case 'may_need_input':
      return facts.attentions.length > 0 || !mayNeedInput(facts, input)
        ? {}
        : withRequest(facts, input, 'notification');
    case 'closes_elicitations':
      return closedBy(facts, input, (open) => open.kind === 'elicitation');
    case 'login':
      return {
        ...closedBy(facts, input, (open) => open.kind === 'account'),
        ...mendAccount(facts, input),
      };
    case 'idle':
      return {
        ...closedBy(
          facts,
          input,
          ({ agent_id, kind }) =>
            agent_id === undefined && kind !== 'account' && kind !== 'possible_question',
        ),
        ...forgetTurn(facts, input),
      };
  }
}

/**
 * Whose notification is what opens (rule 5): it comes with the dialog, however soon that is after the last. Copilot's requests fire for allowed tools too; CodeBuddy had none
 * before it took over all of Claude's events.
 */
const ASKS_BY_NOTIFICATION: ReadonlySet<string> = new Set(['copilot', 'codebuddy']);

function isQuiet(facts: SessionFacts, { moment }: EventInput): boolean {
  const last = Math.max(facts.resolved_at ?? 0, facts.turn.ended_at ?? 0);
  return moment - last <= CONFIRM_QUIET;
}

/** The status says whether it is about this session; without one, `auto` and a main tool under way are all there is to go by. */
function mayNeedInput(facts: SessionFacts, { event }: EventInput): boolean {
  const { status } = facts;
  if (status !== undefined && status.stuck !== true) return status.value === 'waiting';
  const mode = event.permission_mode ?? facts.permission_mode;
  return mode === 'auto' && facts.open_tools.some((open) => open.agent_id === undefined);
}

function withRequest(facts: SessionFacts, input: EventInput, kind: AttentionKind): Partial<SessionFacts> {
  return { attentions: openRequest(facts.attentions, request(kind, facts, input)) };
}

function closedBy(
  facts: SessionFacts,
  input: EventInput,
  closes: (open: Attention) => boolean,
): Partial<SessionFacts> {
  const attentions = closeRequests(facts.attentions, closes);
  return attentions === facts.attentions ? {} : { attentions, resolved_at: input.moment };
}
