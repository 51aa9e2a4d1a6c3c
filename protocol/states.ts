/** The attention states, strongest first: does this session need the user? */
export const ATTENTION_STATES = ['needs_user', 'error', 'done', 'running', 'idle', 'unknown'] as const;
export type AttentionState = (typeof ATTENTION_STATES)[number];

/** 1 is the strongest (spec: state, head table). */
export const ATTENTION_PRIORITY: Readonly<Record<AttentionState, number>> = {
  needs_user: 1,
  error: 2,
  done: 3,
  running: 4,
  idle: 5,
  unknown: 6,
};

/** The lamp's display states, strongest first: may the user look away? */
export const LAMP_STATES = [
  'paused',
  'blocked',
  'permission',
  'needs_review',
  'stale',
  'active',
  'completed',
  'ready',
] as const;
export type LampState = (typeof LAMP_STATES)[number];

/** Kinds of an open request. */
export const ATTENTION_KINDS = [
  'permission',
  'plan_approval',
  'question',
  'elicitation',
  'notification',
  'possible_question',
  'account',
  'dialog',
] as const;
export type AttentionKind = (typeof ATTENTION_KINDS)[number];
