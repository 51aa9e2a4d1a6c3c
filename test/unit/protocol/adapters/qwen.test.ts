import { describe, expect, it } from 'vitest';
import { QWEN_EVENTS } from '../../../../protocol/adapters/qwen.ts';
import type { CanonicalEvent } from '../../../../protocol/events.ts';
import { digestOf, eventOf, fixture, fixtureNames } from '../../../support/adapting.ts';

type Expected = Partial<CanonicalEvent> & Pick<CanonicalEvent, 'event'>;

const BASE: Partial<CanonicalEvent> = {
  v: 1,
  provider: 'qwen',
  host: 'studio',
  session_id: 'qw-7d0c1b52',
  cwd: '/home/dev/shop',
  transcript: '/home/dev/.qwen/tmp/abc/chats/qw-7d0c1b52.jsonl',
  permission_mode: 'default',
};
const NPM_TEST = {
  tool: 'run_shell_command',
  call: 'call_1',
  digest: digestOf('{"command":"npm test"}'),
};
const SUBAGENT = { agent_id: 'sub-1', agent_type: 'general-purpose' };

/** Each payload and all that may be left of it. */
const PAYLOADS: Readonly<Record<string, Expected>> = {
  MessageDisplay: { event: 'Other', native: 'MessageDisplay' },
  'Notification-idle_prompt': { event: 'Notification', notification: 'idle_prompt' },
  'Notification-permission_prompt': { event: 'Notification', notification: 'permission_prompt' },
  PermissionDenied: {
    event: 'PermissionDenied',
    tool: 'run_shell_command',
    call: 'call_2',
    digest: digestOf('{"command":"rm -rf dist"}'),
    reason: 'denied',
  },
  PostToolUseFailure: { event: 'PostToolUseFailure', ...NPM_TEST },
  PreToolUse: { event: 'PreToolUse', ...NPM_TEST },
  SessionDelete: { event: 'SessionEnd', native: 'SessionDelete' },
  SessionEnd: { event: 'SessionEnd', reason: 'prompt_input_exit' },
  SessionStart: { event: 'SessionStart', source: 'startup' },
  Stop: { event: 'Stop' },
  StopFailure: { event: 'StopFailure', error: 'rate_limit' },
  'StopFailure-loop_detected': { event: 'StopFailure', error: 'loop_detected' },
  SubagentStart: { event: 'SubagentStart', ...SUBAGENT },
  SubagentStop: { event: 'SubagentStop', ...SUBAGENT },
  UserPromptSubmit: { event: 'UserPromptSubmit' },
};

const qwen = (event: string, fields: object = {}): CanonicalEvent =>
  eventOf('qwen', { hook_event_name: event, session_id: 's1', ...fields });

describe("Qwen's adapter", () => {
  it('has a row for every example payload', () => {
    expect(Object.keys(PAYLOADS).sort()).toEqual(fixtureNames('qwen'));
  });

  it.each(Object.entries(PAYLOADS))('%s leaves exactly the fields that are allowed', (name, expected) => {
    expect(eventOf('qwen', fixture('qwen', name))).toEqual({ ...BASE, ...expected });
  });

  it.each([...QWEN_EVENTS])('knows %s, as %s', (name, event) => {
    expect(qwen(name).event).toBe(event);
  });

  it.each([
    ['the empty one after a batch of tools', { prompt: '' }, true],
    ['one that was typed', { prompt: 'x', submitted_prompt: 'x' }, undefined],
    ['one that was typed into a version that does not say so', { prompt: 'x' }, undefined],
    ['one that was typed and expanded to nothing', { prompt: '', submitted_prompt: '/x' }, undefined],
    ['one by hand', {}, undefined],
    ['one of another kind', { prompt: 5 }, undefined],
  ])('of prompts, %s: the client’s own %j', (_name, fields, own) => {
    expect(qwen('UserPromptSubmit', fields).own_prompt).toBe(own);
  });

  it('reads background work, wake-ups and a question of a Stop', () => {
    const stop = qwen('Stop', {
      background_tasks: [{ id: 'a1', status: 'running', agent_type: 'x', description: 'secret' }],
      crons: [{ id: 'c1', prompt: 'secret' }],
      last_assistant_message: 'Should I commit?',
    });
    expect(stop).toMatchObject({
      background: [{ id: 'a1', type: 'other', status: 'running' }],
      crons: 1,
      question: true,
    });
    expect(JSON.stringify(stop)).not.toContain('secret');
    expect(qwen('Stop', { session_crons: [1, 2], crons: [1] }).crons).toBe(2);
    expect(qwen('Stop', { crons: 'x' }).crons).toBeUndefined();
  });
});
