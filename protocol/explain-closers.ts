import { ASKING_TOOLS } from './event-table.ts';
import type { CanonicalEvent } from './events.ts';
import type { Closer } from './messages/explain.ts';
import { reduce } from './reduce.ts';
import type { Attention, RuleSettings, SessionFacts, StatusValue } from './session.ts';
import { reduceStatus } from './status.ts';

/** Something that may come, and how a person would put it. */
interface Candidate {
  readonly by: string;
  readonly words: string;
  /** What it would be; an event that names no tool and no agent is left out: it is the hand-written contract, not what an agent sends. */
  readonly event: Pick<CanonicalEvent, 'event'> & Partial<CanonicalEvent>;
  /** Not looked at where this one closes the request already: it says the same. */
  readonly unless?: string;
}

/** Stands for any tool: a request that was opened without one can't be told apart. */
const ANY_TOOL = 'any';

function candidates(open: Attention, facts: SessionFacts): Candidate[] {
  const { tool, digest, agent_id, request, call } = open;
  const agent = agent_id === undefined ? {} : { agent_id };
  const key = {
    ...agent,
    tool: tool ?? ANY_TOOL,
    ...(digest !== undefined && { digest }),
    ...(request !== undefined && { request }),
    ...(call !== undefined && { call }),
  };
  const all: Candidate[] = [
    { by: 'tool_end', words: toolWords(tool), event: { event: 'PostToolUse', ...key } },
    {
      by: 'batch_end',
      words: 'the end of its batch of tools',
      event: { event: 'PostToolBatch', ...agent },
      unless: 'tool_end',
    },
    { by: 'answer', words: 'your answer', event: { event: 'ElicitationResult', ...key } },
    { by: 'dialog_end', words: 'the end of the dialog', event: { event: 'PostModelSwitch', ...agent } },
    { by: 'agent_end', words: 'the end of that subagent', event: { event: 'SubagentStop', ...agent } },
    { by: 'prompt', words: 'a prompt that you type', event: { event: 'UserPromptSubmit' } },
    { by: 'turn_end', words: 'the end of the turn', event: { event: 'Stop' } },
    {
      by: 'login',
      words: 'a login that works',
      event: { event: 'Notification', notification: 'auth_success' },
    },
    { by: 'interrupt', words: 'an interrupt that it tells of', event: { event: 'Interrupt' } },
    { by: 'session_end', words: 'the end of the session', event: { event: 'SessionEnd' } },
  ];
  // Without a turn there is no end of it to wait for.
  return facts.turn.running ? all : all.filter(({ by }) => by !== 'turn_end');
}

function toolWords(tool: string | undefined): string {
  if (tool === undefined) return 'the end of any of its tools';
  return ASKING_TOOLS.has(tool) ? 'your answer' : `the end of that call of ${tool}`;
}

/** Statuses that may say that a request is over. */
const ENDING: readonly StatusValue[] = ['busy', 'idle'];

/**
 * What would close an open request. The reducer itself is asked: each candidate is folded in as if it came now, and what is gone afterwards it has closed. So an explanation can't
 * say anything else than what happens.
 * @param now unix ms
 */
export function closersOf(open: Attention, facts: SessionFacts, now: number, rules: RuleSettings): Closer[] {
  const found: Closer[] = [];
  for (const { by, words, event, unless } of candidates(open, facts)) {
    if (found.some((closer) => closer.by === unless)) continue;
    const sent: CanonicalEvent = { v: 1, ...sender(facts), sent_at: now, enveloped: true, ...event };
    if (isGone(open, reduce(facts, { event: sent, moment: now, arrival: now }, rules)))
      found.push({ by, words });
  }
  const { status } = facts;
  const statuses =
    status === undefined
      ? []
      : ENDING.filter((value) => endsByStatus(open, facts, { value, after: status.at, now }, rules));
  if (statuses.length > 0)
    found.push({ by: 'status', words: `a newer status of its client (${statuses.join(' or ')})` });
  return found;
}

function sender({ provider, session_id, host }: SessionFacts) {
  return { provider, session_id, host };
}

function isGone(open: Attention, facts: SessionFacts | undefined): boolean {
  return facts?.attentions.some(({ id }) => id === open.id) === false;
}

function endsByStatus(
  open: Attention,
  facts: SessionFacts,
  { value, after, now }: { value: StatusValue; after: number; now: number },
  rules: RuleSettings,
): boolean {
  // Newer than all that is known.
  const moment = Math.max(now, after, facts.last_hook_at ?? 0) + 1;
  const input = { status: { ...sender(facts), value }, moment, arrival: moment };
  return isGone(open, reduceStatus(facts, input, rules));
}
