import type { HookPayload } from './own-forms.ts';
import { payloadOf, type Recording } from './recordings.ts';
import { zeroOf } from '../../protocol/sources/recording.ts';

/** How a turn ended. */
export type TurnEnd = 'done' | 'error' | 'account' | 'idle';

/** Something that was said of a turn. Times are milliseconds since the recording's start. */
export interface Word {
  /** When the client did it. */
  readonly moment: number;
  /** When it could be known. */
  readonly arrival: number;
  readonly says: 'begins' | 'goes on' | 'moves on' | 'rests' | TurnEnd;
}

/** Failures that only the user can mend. */
const ACCOUNT = new Set(['authentication_failed', 'oauth_org_not_allowed', 'billing_error']);

/** What the hooks that arrived say of a session's turns, and with sources what Codex' rollout or Copilot's log says, in order. `moves on`: something else than a turn comes now. `rests`: no turn runs, however it has ended. */
export function wordsOf(recording: Recording, session: string, sources: boolean): Word[] {
  const besides = sources ? [...rolloutWords(recording, session), ...logWords(recording, session)] : [];
  const words = [...hookWords(recording, session), ...besides];
  return words.sort((a, b) => a.moment - b.moment);
}

function hookWords(recording: Recording, session: string): Word[] {
  const zero = zeroOf(recording.lines);
  return recording.lines.flatMap((line): Word[] => {
    if (line.argv?.[0] === 'codex-notify' && line.argv.at(-1)?.includes(session) === true)
      return [{ moment: line.tMs, arrival: line.tMs, says: 'done' }];
    const payload = payloadOf(line);
    if (payload?.session_id !== session || payload.agent_id !== undefined) return [];
    const says = meaning(payload, line.argv?.[0]);
    return [{ moment: (line.receivedAtMs ?? zero + line.tMs) - zero, arrival: line.tMs, says }];
  });
}

function meaning(payload: HookPayload, client = ''): Word['says'] {
  const { hook_event_name, error = '', notification_type, prompt, prompt_response } = payload;
  switch (hook_event_name) {
    case 'BeforeAgent':
      return 'begins';
    case 'UserPromptSubmit':
      // Qwen's comes again after each batch of tools.
      return prompt === '' ? 'goes on' : 'begins';
    case 'AfterAgent':
      return prompt_response === '[no response text]' ? 'error' : 'done';
    case 'Stop':
      return 'done';
    case 'StopFailure':
      return ACCOUNT.has(error) ? 'account' : 'error';
    case 'Interrupt':
      return 'idle';
    case 'SessionStart':
    case 'SessionEnd':
    case 'PreCompact':
      return 'moves on';
    default:
      if (notification_type !== 'idle_prompt') return 'goes on';
      // Qwen's comes after every turn.
      return client === 'qwen' ? 'rests' : 'moves on';
  }
}

interface RolloutLine {
  readonly _file: string;
  readonly timestamp: string;
  readonly payload: { readonly type: string; readonly error?: unknown };
}

/** Hooks that mean nothing for the state: they name no session. */
const MEANINGLESS = new Set([
  'PreModelRequest',
  'userPromptTransformed',
  'permissionRequest',
  'errorOccurred',
  'preCompact',
]);

/** Before a hook that means something has named the session, nothing of its rollout or log is believed (spec: state, rule 13). */
function namedAt(lines: Recording['lines'], session: string): number {
  const names = lines.find((line) => {
    const { session_id, hook_event_name = '' } = payloadOf(line) ?? {};
    return session_id === session && !MEANINGLESS.has(hook_event_name);
  });
  return names?.tMs ?? Number.POSITIVE_INFINITY;
}

function rolloutWords({ lines, rollout }: Recording, session: string): Word[] {
  const zero = zeroOf(lines);
  const named = namedAt(lines, session);
  return rollout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RolloutLine)
    .filter(({ _file }) => _file.includes(session))
    .flatMap(({ timestamp, payload }) => {
      const says = rolloutMeaning(payload);
      const moment = Date.parse(timestamp) - zero;
      return says === undefined ? [] : [{ moment, arrival: Math.max(moment, named), says }];
    });
}

function rolloutMeaning({ type, error }: RolloutLine['payload']): Word['says'] | undefined {
  if (type === 'turn_aborted') return 'idle';
  if (type !== 'task_complete') return undefined;
  return error === undefined || error === null ? 'done' : 'error';
}

interface LogLine {
  readonly type: string;
  readonly timestamp: string;
  readonly agentId?: string;
  readonly data: { readonly hookType?: string; readonly input?: { readonly agentId?: string } };
}

const LOG_WORDS: Readonly<Record<string, Word['says']>> = {
  'user.message': 'begins',
  'hook.start agentStop': 'done',
  abort: 'idle',
  'session.error': 'error',
};

/** A Copilot log is one session's. */
function logWords({ lines, events }: Recording, session: string): Word[] {
  if (!events.includes(`"sessionId": "${session}"`)) return [];
  const zero = zeroOf(lines);
  const named = namedAt(lines, session);
  const logged = events.split('\n').filter((line) => line !== '');
  return logged.flatMap((line) => {
    const { type, timestamp, agentId, data } = JSON.parse(line) as LogLine;
    const hook = data.hookType === undefined ? '' : ` ${data.hookType}`;
    const says = (agentId ?? data.input?.agentId) === undefined ? LOG_WORDS[type + hook] : undefined;
    const moment = Date.parse(timestamp) - zero;
    return says === undefined ? [] : [{ moment, arrival: Math.max(moment, named), says }];
  });
}
