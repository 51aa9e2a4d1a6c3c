import type { AttentionState, LampState } from '../protocol/states.ts';

const STATES: Readonly<Record<AttentionState, string>> = {
  needs_user: 'waiting',
  error: 'failed',
  done: 'done',
  running: 'running',
  idle: 'idle',
  unknown: 'not known',
};

/** A state in plain words; several projects in it are counted: `2 waiting`. */
export function stateWords(state: AttentionState, count = 1): string {
  return count > 1 ? `${count} ${STATES[state]}` : STATES[state];
}

/** Reasons that read badly as they are; an empty one says nothing that the state does not. */
const REASONS: Readonly<Record<string, string>> = {
  session_start: 'just started',
  user_prompt: 'prompt',
  tool_use: 'using a tool',
  permission_request: 'permission',
  elicitation: 'asks for input',
  elicitation_result: 'input given',
  background_task: 'background work',
  compact: 'compacting',
  stale: 'nothing heard',
  stop: '',
  session_end: 'ended',
};

/** Why a session is in its state, in plain words. */
export function reasonWords(reason: string): string {
  return REASONS[reason] ?? reason.replaceAll('_', ' ');
}

/** What the lamp says beyond the state; empty when they agree. */
export function lampNote(lamp: LampState, state: AttentionState): string {
  if (lamp === 'paused') return 'lamp paused';
  if (lamp === 'stale') return state === 'unknown' ? '' : 'not to be trusted';
  const isAlert = lamp === 'blocked' || lamp === 'permission' || lamp === 'needs_review';
  return isAlert && state !== 'needs_user' && state !== 'error' ? 'not seen yet' : '';
}

/** The display states in plain words. */
export const LAMP_WORDS: Readonly<Record<LampState, string>> = {
  paused: 'paused',
  blocked: 'blocked',
  permission: 'permission',
  needs_review: 'look at it',
  stale: 'not known',
  active: 'working',
  completed: 'completed',
  ready: 'ready',
};
