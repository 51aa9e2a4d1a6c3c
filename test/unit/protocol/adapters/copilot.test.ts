import { describe, expect, it } from 'vitest';
import { COPILOT_EVENTS } from '../../../../protocol/adapters/copilot.ts';
import type { CanonicalEvent } from '../../../../protocol/events.ts';
import { adapted, digestOf, eventOf, fixture, RECEIVED } from '../../../support/adapting.ts';

const SESSION = 'c0ffee00-0000-4000-8000-000000000001';
const BASE = { sessionId: SESSION, timestamp: RECEIVED - 50, cwd: '/home/dev/shop' };

/** The event of a hook whose name stands beside its payload. */
function hook(event: string, fields: object = {}): CanonicalEvent {
  return eventOf('copilot', { v: 1, event, sent_at: RECEIVED - 10, hook: { ...BASE, ...fields } });
}

describe('a Copilot hook', () => {
  it('in camelCase: its name stands beside it', () => {
    const toolArgs = { command: 'npm test' };
    expect(hook('preToolUse', { toolName: 'bash', toolArgs })).toEqual({
      v: 1,
      event: 'PreToolUse',
      provider: 'copilot',
      session_id: SESSION,
      cwd: '/home/dev/shop',
      host: 'studio',
      sent_at: RECEIVED - 50,
      tool: 'bash',
      digest: digestOf('{"command":"npm test"}'),
      native: 'preToolUse',
      enveloped: true,
    });
    expect(hook('postToolUse', { toolName: 'bash', toolArgs }).digest).toBe(
      digestOf('{"command":"npm test"}'),
    );
    expect(hook('agentStop', { transcriptPath: '/home/dev/.copilot/events.jsonl' })).toMatchObject({
      event: 'Stop',
      transcript: '/home/dev/.copilot/events.jsonl',
    });
    expect(adapted('copilot', fixture('copilot', 'preToolUse'))).toMatchObject({ code: 'unknown_event' });
  });

  it('in PascalCase: it names itself, and its time is ISO 8601', () => {
    expect(
      eventOf('copilot', {
        ...fixture('copilot', 'pascal-PreToolUse'),
        timestamp: '2026-09-21T10:00:00.000Z',
      }),
    ).toEqual({
      v: 1,
      event: 'PreToolUse',
      provider: 'copilot',
      session_id: SESSION,
      cwd: '/home/dev/shop',
      host: 'studio',
      sent_at: Date.parse('2026-09-21T10:00:00.000Z'),
      tool: 'bash',
      digest: digestOf('{"command":"npm test"}'),
    });
  });

  it.each([5, 'yesterday', RECEIVED / 1000, null, -1, {}])(
    'without a time of its own (%j) has the sender’s',
    (timestamp) => {
      expect(hook('agentStop', { timestamp }).sent_at).toBe(RECEIVED - 10);
    },
  );

  it.each([
    ['complete', 'Stop', undefined],
    ['error', 'StopFailure', 'error'],
    ['timeout', 'StopFailure', 'timeout'],
    ['abort', 'Interrupt', undefined],
    ['user_exit', 'SessionEnd', undefined],
    ['whatever comes', 'SessionEnd', undefined],
    [undefined, 'SessionEnd', undefined],
    ['__proto__', 'SessionEnd', undefined],
  ])('sessionEnd with reason %s is %s', (reason, event, error) => {
    for (const name of ['sessionEnd', 'SessionEnd']) {
      const told = hook(name, { reason });
      expect([told.event, told.error]).toEqual([event, error]);
    }
  });

  it.each([
    [false, 'model_call', 'StopFailure', 'model_call'],
    [true, 'model_call', 'Other', undefined],
    [undefined, 'tool_execution', 'Other', undefined],
    ['false', 'system', 'Other', undefined],
  ])(
    'errorOccurred with recoverable %s is told by its context',
    (recoverable, errorContext, event, error) => {
      const told = hook('errorOccurred', {
        recoverable,
        errorContext,
        error: { message: 'the canary sings' },
      });
      expect([told.event, told.error]).toEqual([event, error]);
      const pascal = hook('ErrorOccurred', { recoverable, error_context: errorContext });
      expect([pascal.event, pascal.error]).toEqual([event, error]);
    },
  );

  it.each([
    'permissionRequest',
    'PermissionRequest',
    'preCompact',
    'PreCompact',
    'userPromptTransformed',
    'preMcpToolCall',
  ])('%s means nothing', (name) => {
    expect(hook(name, { toolName: 'bash' })).toMatchObject({ event: 'Other' });
  });

  it('of a notification tells its type', () => {
    const payload = fixture('copilot', 'notification-permission_prompt');
    expect(eventOf('copilot', payload)).toMatchObject({
      event: 'Notification',
      notification: 'permission_prompt',
    });
  });

  it('knows both spellings of every name that has two', () => {
    const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
    const both = [...COPILOT_EVENTS].filter(
      ([name]) => name !== pascal(name) && COPILOT_EVENTS.has(pascal(name)),
    );
    expect(both.length).toBeGreaterThan(8);
    expect(both.filter(([name, event]) => COPILOT_EVENTS.get(pascal(name)) !== event)).toEqual([]);
  });
});

describe('a Copilot subagent', () => {
  const CHILD = '6f51b716-8716-4445-a013-600c463ec8cb';
  const agent = { agentId: CHILD, agentType: 'task', parentAgentId: SESSION };

  it('with a session of its own names its parent', () => {
    const told = hook('agentStop', { sessionId: CHILD, ...agent });
    expect(told).toMatchObject({ event: 'Stop', session_id: CHILD, parent_id: SESSION, agent_type: 'task' });
    expect(told).not.toHaveProperty('agent_id');
    expect(hook('Stop', { sessionId: CHILD, agent_id: CHILD, parent_agent_id: SESSION })).toMatchObject({
      parent_id: SESSION,
    });
  });

  it.each(['subagentStart', 'subagentStop'])('is named by its parent’s %s', (name) => {
    expect(hook(name, agent)).toMatchObject({ session_id: SESSION, agent_id: CHILD });
    expect(hook(name, agent)).not.toHaveProperty('parent_id');
  });
});
