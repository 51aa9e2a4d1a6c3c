import { describe, expect, it } from 'vitest';
import { CLAUDE_EVENTS } from '../../../../protocol/adapters/claude.ts';
import type { CanonicalEvent } from '../../../../protocol/events.ts';
import { digestOf, eventOf, fixture, fixtureNames } from '../../../support/adapting.ts';

type Expected = Partial<CanonicalEvent> & Pick<CanonicalEvent, 'event'>;

/** In every payload, whatever the event. */
const BASE: Partial<CanonicalEvent> = {
  v: 1,
  provider: 'claude',
  host: 'studio',
  session_id: '7d0c1b52-3a94-4c0e-9f0d-2b6f3a5e8c11',
  cwd: '/home/dev/shop',
  transcript: '/home/dev/.claude/projects/-home-dev-shop/7d0c1b52-3a94-4c0e-9f0d-2b6f3a5e8c11.jsonl',
};
const PROMPT = { prompt_id: 'c4b7f0de-6f0e-4f7b-8d6f-0d5b8a9f1e22' };
const DEFAULT = { ...PROMPT, permission_mode: 'default' };
const EXPLORE = { agent_id: 'a1f09c', agent_type: 'Explore' };
const QUESTION_INPUT =
  '{"questions":[{"header":"Database","multiSelect":false,"options":[{"label":"PostgreSQL"},{"label":"SQLite"}],"question":"Which database?"}]}';
const TEST_INPUT =
  '{"command":"npm test","description":"Run unit tests","run_in_background":false,"timeout":120000}';

/** Each payload and all that may be left of it. */
const TABLE: Readonly<Record<string, Expected>> = {
  ConfigChange: { event: 'Other', native: 'ConfigChange', ...PROMPT },
  CwdChanged: { event: 'Other', native: 'CwdChanged', ...PROMPT },
  DirectoryAdded: { event: 'Other', native: 'DirectoryAdded', ...PROMPT },
  'Elicitation-form': { event: 'Elicitation', ...DEFAULT },
  'Elicitation-url': { event: 'Elicitation', ...DEFAULT, request: 'elicit-123' },
  ElicitationResult: { event: 'ElicitationResult', ...DEFAULT, request: 'elicit-123', outcome: 'accept' },
  FileChanged: { event: 'Other', native: 'FileChanged', ...PROMPT },
  InstructionsLoaded: { event: 'Other', native: 'InstructionsLoaded' },
  MessageDisplay: { event: 'Other', native: 'MessageDisplay', ...PROMPT },
  'Notification-agent_completed': { event: 'Notification', ...PROMPT, notification: 'agent_completed' },
  'Notification-auth_success': { event: 'Notification', ...PROMPT, notification: 'auth_success' },
  'Notification-elicitation_dialog': { event: 'Notification', ...PROMPT, notification: 'elicitation_dialog' },
  'Notification-elicitation_response': {
    event: 'Notification',
    ...PROMPT,
    notification: 'elicitation_response',
  },
  'Notification-elicitation_url_dialog': {
    event: 'Notification',
    ...PROMPT,
    notification: 'elicitation_url_dialog',
  },
  'Notification-idle_prompt': { event: 'Notification', ...PROMPT, notification: 'idle_prompt' },
  'Notification-permission_prompt': { event: 'Notification', ...PROMPT, notification: 'permission_prompt' },
  'Notification-unknown': { event: 'Notification', ...PROMPT, notification: 'some_future_type' },
  'Notification-worker_permission_prompt': {
    event: 'Notification',
    ...PROMPT,
    notification: 'worker_permission_prompt',
  },
  PermissionDenied: {
    event: 'PermissionDenied',
    ...PROMPT,
    permission_mode: 'auto',
    tool: 'Bash',
    call: 'toolu_01SYNTHETICEEEE',
    digest: digestOf('{"command":"git push --force"}'),
    reason: 'other',
  },
  PermissionRequest: {
    event: 'PermissionRequest',
    ...DEFAULT,
    tool: 'Bash',
    digest: digestOf('{"command":"rm -rf dist","description":"Remove build output"}'),
  },
  'PermissionRequest-subagent': {
    event: 'PermissionRequest',
    ...DEFAULT,
    ...EXPLORE,
    tool: 'WebFetch',
    digest: digestOf('{"prompt":"Summarise","url":"https://example.com/spec"}'),
  },
  PostCompact: { event: 'PostCompact', ...PROMPT, trigger: 'auto' },
  PostToolBatch: { event: 'PostToolBatch', ...DEFAULT, calls: 2 },
  PostToolUse: {
    event: 'PostToolUse',
    ...DEFAULT,
    tool: 'Write',
    call: 'toolu_01SYNTHETICFFFF',
    digest: digestOf(
      String.raw`{"content":"export const retries = 3;\n","file_path":"/home/dev/shop/src/pay.ts"}`,
    ),
  },
  'PostToolUse-AskUserQuestion': {
    event: 'PostToolUse',
    ...DEFAULT,
    tool: 'AskUserQuestion',
    call: 'toolu_01SYNTHETICBBBB',
    digest: digestOf(QUESTION_INPUT),
  },
  PostToolUseFailure: {
    event: 'PostToolUseFailure',
    ...DEFAULT,
    tool: 'Bash',
    call: 'toolu_01SYNTHETICAAAA',
    digest: digestOf(TEST_INPUT),
  },
  PreModelSwitch: { event: 'PreModelSwitch', ...PROMPT },
  'PreToolUse-AskUserQuestion': {
    event: 'PreToolUse',
    ...DEFAULT,
    tool: 'AskUserQuestion',
    call: 'toolu_01SYNTHETICBBBB',
    digest: digestOf(QUESTION_INPUT),
  },
  'PreToolUse-Bash': {
    event: 'PreToolUse',
    ...DEFAULT,
    tool: 'Bash',
    call: 'toolu_01SYNTHETICAAAA',
    digest: digestOf(TEST_INPUT),
  },
  'PreToolUse-subagent': {
    event: 'PreToolUse',
    ...DEFAULT,
    ...EXPLORE,
    tool: 'Grep',
    call: 'toolu_01SYNTHETICDDDD',
    digest: digestOf('{"path":"/home/dev/shop/src","pattern":"retry"}'),
  },
  'SessionEnd-clear': { event: 'SessionEnd', ...PROMPT, reason: 'clear' },
  'SessionEnd-logout': { event: 'SessionEnd', ...PROMPT, reason: 'logout' },
  'SessionEnd-other': { event: 'SessionEnd', ...PROMPT, reason: 'other' },
  'SessionStart-clear': { event: 'SessionStart', source: 'clear' },
  'SessionStart-compact': { event: 'SessionStart', source: 'compact' },
  'SessionStart-resume': { event: 'SessionStart', source: 'resume' },
  'SessionStart-startup': { event: 'SessionStart', source: 'startup' },
  Stop: { event: 'Stop', ...DEFAULT, background: [], crons: 0 },
  'Stop-background': {
    event: 'Stop',
    ...DEFAULT,
    background: [
      { id: 'task-014', type: 'shell', status: 'running' },
      { id: 'task-015', type: 'subagent', status: 'running' },
    ],
    crons: 0,
  },
  'Stop-cron': { event: 'Stop', ...DEFAULT, background: [], crons: 1 },
  'StopFailure-authentication_failed': { event: 'StopFailure', ...PROMPT, error: 'authentication_failed' },
  'StopFailure-billing_error': { event: 'StopFailure', ...PROMPT, error: 'billing_error' },
  'StopFailure-max_output_tokens': { event: 'StopFailure', ...PROMPT, error: 'max_output_tokens' },
  'StopFailure-overloaded': { event: 'StopFailure', ...PROMPT, error: 'overloaded' },
  'StopFailure-unknown': { event: 'StopFailure', ...PROMPT, error: 'unknown' },
  SubagentStart: { event: 'SubagentStart', ...PROMPT, ...EXPLORE },
  SubagentStop: { event: 'SubagentStop', ...DEFAULT, ...EXPLORE },
  TaskCompleted: { event: 'Other', native: 'TaskCompleted', ...DEFAULT },
  TaskCreated: { event: 'Other', native: 'TaskCreated', ...DEFAULT },
  TeammateIdle: { event: 'Other', native: 'TeammateIdle', ...DEFAULT },
  UserPromptSubmit: { event: 'UserPromptSubmit', ...DEFAULT },
  WorktreeCreate: { event: 'Other', native: 'WorktreeCreate', ...PROMPT },
  WorktreeRemove: { event: 'Other', native: 'WorktreeRemove', ...PROMPT },
};

const named = (event: string, fields: object = {}): object => ({
  hook_event_name: event,
  session_id: 's1',
  ...fields,
});

describe("Claude Code's adapter", () => {
  it('has a row for every example payload', () => {
    expect(Object.keys(TABLE).sort()).toEqual(fixtureNames('claude'));
  });

  it.each(Object.entries(TABLE))('%s leaves exactly the fields that are allowed', (name, expected) => {
    expect(eventOf('claude', fixture('claude', name))).toEqual({ ...BASE, ...expected });
  });

  it.each([...CLAUDE_EVENTS])('knows %s, as %s', (name, event) => {
    const adapted = eventOf('claude', named(name));
    expect(adapted.event).toBe(event);
    expect(adapted.native).toBe(event === name ? undefined : name);
  });

  it.each([
    ['a future name', 'SomethingNew', 'SomethingNew'],
    ['a sentence', 'Something has happened', 'other'],
    ['a name of every object', 'constructor', 'constructor'],
    ['the prototype', '__proto__', '__proto__'],
    ['the raw signal, which is no event of an agent', 'Signal', 'Signal'],
  ])('takes an unknown event for one that changes nothing: %s', (_name, event, native) => {
    expect(eventOf('claude', named(event))).toMatchObject({ event: 'Other', native });
  });

  it.each([
    ['<task-notification>\n<task-id>b1</task-id>', true],
    ['Explain <task-notification>', undefined],
    ['', undefined],
    [undefined, undefined],
    [7, undefined],
  ])("tells the client's own prompt from a typed one: %j", (prompt, own) => {
    const event = eventOf('claude', named('UserPromptSubmit', { prompt }));
    expect(event.own_prompt).toBe(own);
  });

  it.each([
    ['a question', 'Tests pass. Should I commit?', true],
    ['a report', 'Tests pass.', undefined],
    ['no message', undefined, undefined],
    ['an empty one', '', undefined],
    ['no text', { text: 'Should I commit?' }, undefined],
  ])('reads the last message for a question and drops it: %s', (_name, message, question) => {
    expect(eventOf('claude', named('Stop', { last_assistant_message: message }))).toEqual({
      v: 1,
      provider: 'claude',
      host: 'studio',
      event: 'Stop',
      session_id: 's1',
      ...(question && { question }),
    });
  });

  it('looks for no question when that is switched off, nor where a subagent stops', () => {
    const message = { last_assistant_message: 'Should I commit?' };
    expect(eventOf('claude', named('Stop', message), { questions: false }).question).toBeUndefined();
    expect(eventOf('claude', named('SubagentStop', message)).question).toBeUndefined();
  });

  it.each(['SessionStart', 'UserPromptSubmit'])('keeps the title of a %s only when asked to', (event) => {
    const payload = named(event, { session_title: `checkout\n${'x'.repeat(100)}` });
    expect(eventOf('claude', payload).title).toBeUndefined();
    expect(eventOf('claude', payload, { titles: true }).title).toBe(`checkout${'x'.repeat(72)}`);
  });

  it('takes a compaction for no subagent: an empty agent type is none', () => {
    expect(eventOf('claude', named('SubagentStop', { agent_id: 'a2', agent_type: '' }))).not.toHaveProperty(
      'agent_type',
    );
  });

  it.each([
    ['source', 'PreModelSwitch'],
    ['source', 'PostModelSwitch'],
    ['trigger', 'PreCompact'],
  ])('picks the %s of a %s', (field, event) => {
    expect(eventOf('claude', named(event, { [field]: 'command' }))).toMatchObject({
      event,
      [field]: 'command',
    });
  });
});
