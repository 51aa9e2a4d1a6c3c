import type { EventName } from '../../protocol/events.ts';
import type { AttentionState, LampState } from '../../protocol/states.ts';
import type { Performer } from './tape.ts';

/** The three agents. */
export const PERFORMERS = {
  shop: {
    provider: 'claude',
    cwd: '/home/you/web-shop',
    recordings: ['claude-code-2.1.332/perm_approve', 'claude-code-2.1.332/err_e429'],
  },
  docs: {
    provider: 'claude',
    cwd: '/home/you/docs',
    recordings: ['claude-code-2.1.332/ask_answered', 'claude-code-2.1.332/bgbash'],
  },
  runner: {
    provider: 'codex',
    cwd: '/home/you/backlog-runner',
    recordings: ['codex-0.171.0/perm_approve', 'codex-0.171.0/esc_tool'],
  },
} as const satisfies Record<string, Performer>;
export type PerformerName = keyof typeof PERFORMERS;

/** An agent plays its recording up to the next event of this name; or you give a command. */
export type Step = readonly [agent: PerformerName, upTo: EventName] | readonly ['you', 'pause' | 'resume'];

export interface Shown {
  /** Slug. */
  readonly provider: string;
  readonly state: AttentionState;
  readonly count: number;
  readonly reason: string;
  /** Where the lamp says something else than the state. */
  readonly lamp?: LampState;
}

export interface Act {
  /** What happens, for whoever watches: one line. */
  readonly caption: string;
  readonly steps: readonly Step[];
  /** What the bus says of a provider then. */
  readonly shows: Shown;
  /** How long it stays so [ms], at speed 1. */
  readonly hold: number;
}

/** The day, in order. */
export const ACTS: readonly Act[] = [
  {
    caption: 'You start Claude in web-shop. It works; you may look away.',
    steps: [['shop', 'UserPromptSubmit']],
    shows: { provider: 'claude', state: 'running', count: 1, reason: 'user_prompt' },
    hold: 4_000,
  },
  {
    caption: 'A second Claude gets a task in docs, ...',
    steps: [['docs', 'UserPromptSubmit']],
    shows: { provider: 'claude', state: 'running', count: 2, reason: 'user_prompt' },
    hold: 2_000,
  },
  {
    caption: '... and Codex one in backlog-runner. Three agents work.',
    steps: [['runner', 'PreToolUse']],
    shows: { provider: 'codex', state: 'running', count: 1, reason: 'tool_use' },
    hold: 3_500,
  },
  {
    caption: 'Codex asks for a permission in backlog-runner: red, you are needed.',
    steps: [['runner', 'PermissionRequest']],
    shows: { provider: 'codex', state: 'needs_user', count: 1, reason: 'permission_request' },
    hold: 4_500,
  },
  {
    caption: 'You answer in its terminal. The lamp knows, and Codex goes on.',
    steps: [['runner', 'PostToolUse']],
    shows: { provider: 'codex', state: 'running', count: 1, reason: 'tool_use' },
    hold: 3_000,
  },
  {
    caption: 'Claude asks you a question in docs, ...',
    steps: [['docs', 'PermissionRequest']],
    shows: { provider: 'claude', state: 'needs_user', count: 1, reason: 'question' },
    hold: 3_000,
  },
  {
    caption: '... and the other Claude a permission in web-shop: two wait.',
    steps: [['shop', 'PermissionRequest']],
    shows: { provider: 'claude', state: 'needs_user', count: 2, reason: 'permission_request' },
    hold: 4_500,
  },
  {
    caption: 'You answer the question. The permission still waits.',
    steps: [['docs', 'PostToolBatch']],
    shows: { provider: 'claude', state: 'needs_user', count: 1, reason: 'permission_request' },
    hold: 4_000,
  },
  {
    caption: 'You give the permission. Nobody waits any more.',
    steps: [['shop', 'PostToolBatch']],
    shows: { provider: 'claude', state: 'running', count: 2, reason: 'tool_use' },
    hold: 3_000,
  },
  {
    caption: 'Claude ends its turn in docs, but a command runs on: that is not done.',
    steps: [
      ['docs', 'Stop'],
      ['docs', 'Stop'],
    ],
    shows: { provider: 'claude', state: 'running', count: 2, reason: 'background_task' },
    hold: 4_500,
  },
  {
    caption: 'The command has ended, Claude reads its report. Now docs is done.',
    steps: [['docs', 'Stop']],
    shows: { provider: 'claude', state: 'done', count: 1, reason: 'stop' },
    hold: 4_000,
  },
  {
    caption: 'An error: Claude runs into a rate limit in web-shop.',
    steps: [
      ['shop', 'Stop'],
      ['shop', 'StopFailure'],
    ],
    shows: { provider: 'claude', state: 'error', count: 1, reason: 'rate_limit' },
    hold: 4_000,
  },
  {
    caption: 'A break: "signalbox pause". Lamps rest, nothing alerts, states go on.',
    steps: [['you', 'pause']],
    shows: { provider: 'claude', state: 'error', count: 1, reason: 'rate_limit', lamp: 'paused' },
    hold: 3_500,
  },
  {
    caption: 'You are back: "signalbox resume". The error has waited for you.',
    steps: [['you', 'resume']],
    shows: { provider: 'claude', state: 'error', count: 1, reason: 'rate_limit', lamp: 'blocked' },
    hold: 3_000,
  },
  {
    caption: 'You try again: web-shop works, docs is done.',
    steps: [['shop', 'UserPromptSubmit']],
    shows: { provider: 'claude', state: 'done', count: 1, reason: 'stop' },
    hold: 2_500,
  },
  {
    caption: 'Codex is done, ...',
    steps: [['runner', 'Stop']],
    shows: { provider: 'codex', state: 'done', count: 1, reason: 'stop' },
    hold: 2_500,
  },
  {
    caption: '... and gets its next task.',
    steps: [
      ['runner', 'Stop'],
      ['runner', 'PreToolUse'],
    ],
    shows: { provider: 'codex', state: 'running', count: 1, reason: 'tool_use' },
    hold: 2_500,
  },
  {
    caption: 'Not what you meant: you press Esc. Codex is idle, and nobody is alarmed.',
    steps: [['runner', 'Interrupt']],
    shows: { provider: 'codex', state: 'idle', count: 1, reason: 'interrupted' },
    hold: 4_000,
  },
  {
    caption: 'Codex tries once more and is done; ...',
    steps: [['runner', 'Stop']],
    shows: { provider: 'codex', state: 'done', count: 1, reason: 'stop' },
    hold: 2_000,
  },
  {
    caption: '... so is Claude. All is done: green, the day is over.',
    steps: [['shop', 'Stop']],
    shows: { provider: 'claude', state: 'done', count: 2, reason: 'stop' },
    hold: 4_000,
  },
];
