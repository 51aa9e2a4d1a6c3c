import type { CanonicalEvent, EventName } from '../events.ts';
import { looksLikeQuestion } from '../question.ts';
import { type Fields, textOf } from './fields.ts';

/** Values for some fields of a canonical event, as the payload holds them: `cutDown` puts each through its field's rule. */
export type Picked = { readonly [K in keyof CanonicalEvent]?: unknown };

/** What an adapter may use beside the payload. */
export interface Reading {
  /** Keyed digest of a tool's input; `undefined` for none. */
  readonly digest: (input: unknown) => string | undefined;
  /** Look for a question in the last message (`state.questions`). */
  readonly questions: boolean;
  /** Keep session titles (`privacy.titles`). */
  readonly titles: boolean;
}

/**
 * Picks the fields of the hook payload that Claude Code introduced and Codex, Qwen Code, CodeBuddy and others took over (reference: the vendors'
 * hook documentation, "common input fields" and the fields of each event). Only what is named here is read at all.
 */
export function hookFields(event: EventName, payload: Fields, reading: Reading): Picked {
  return {
    session_id: payload['session_id'],
    cwd: payload['cwd'],
    transcript: payload['transcript_path'],
    prompt_id: payload['prompt_id'],
    agent_id: payload['agent_id'],
    agent_type: payload['agent_type'],
    permission_mode: payload['permission_mode'],
    ...EVENT_PICKS[event]?.(payload, reading),
  };
}

type Pick = (payload: Fields, reading: Reading) => Picked;

const tool: Pick = (payload, reading) => ({
  call: payload['tool_use_id'],
  tool: payload['tool_name'],
  digest: reading.digest(payload['tool_input']),
});
const title: Pick = (payload, reading) => (reading.titles ? { title: payload['session_title'] } : {});
const source: Pick = (payload) => ({ source: payload['source'] });
const trigger: Pick = (payload) => ({ trigger: payload['trigger'] });

/** The fields of one event. A field that stands in other events too (a failed tool's `error` is a sentence) is read only where it is listed. */
const EVENT_PICKS: Partial<Readonly<Record<EventName, Pick>>> = {
  SessionStart: (payload, reading) => ({ ...source(payload, reading), ...title(payload, reading) }),
  UserPromptSubmit: title,
  PreToolUse: tool,
  PostToolUse: tool,
  PostToolUseFailure: tool,
  PermissionRequest: tool,
  PermissionDenied: (payload, reading) => ({ ...tool(payload, reading), reason: payload['reason'] }),
  PostToolBatch: (payload) => ({ calls: lengthOf(payload['tool_calls']) }),
  Elicitation: (payload) => ({ request: payload['elicitation_id'] }),
  ElicitationResult: (payload) => ({ request: payload['elicitation_id'], outcome: payload['action'] }),
  PreModelSwitch: source,
  PostModelSwitch: source,
  Notification: (payload) => ({ notification: payload['notification_type'] }),
  Stop: (payload, reading) => ({
    background: payload['background_tasks'],
    crons: lengthOf(payload['session_crons']),
    question: asks(payload['last_assistant_message'], reading),
  }),
  StopFailure: (payload) => ({ error: payload['error'] }),
  PreCompact: trigger,
  PostCompact: trigger,
  SessionEnd: (payload) => ({ reason: payload['reason'] }),
};

/** How many entries a list has; `undefined` for what is none. */
export function lengthOf(value: unknown): number | undefined {
  return Array.isArray(value) ? value.length : undefined;
}

/** Whether a turn's last message asks the user something; the message itself goes no further. */
export function asks(message: unknown, reading: Reading): boolean {
  const given = textOf(message);
  return reading.questions && given !== undefined && looksLikeQuestion(given);
}
