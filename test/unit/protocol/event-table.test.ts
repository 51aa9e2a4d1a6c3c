import { describe, expect, it } from 'vitest';
import type { EventName } from '../../../protocol/events.ts';
import { type Driver, drive, type Fields } from '../../support/driving.ts';

/** The session of these tests: started and prompted, one second apart. */
function prompted(): Driver {
  const driver = drive();
  driver.begin();
  return driver;
}

type Row = [what: string, event: EventName, fields: Fields, state: string, reason: string, lamp: string];

describe('the event table (section 1), on a session that was started and prompted', () => {
  it.each<Row>([
    ['a start', 'SessionStart', { source: 'startup' }, 'running', 'session_start', 'ready'],
    [
      'a start of unknown source',
      'SessionStart',
      { source: 'teleport' },
      'running',
      'session_start',
      'ready',
    ],
    [
      'a source that is a word of the language',
      'SessionStart',
      { source: 'constructor' },
      'running',
      'session_start',
      'ready',
    ],
    ['a start without source', 'SessionStart', {}, 'running', 'session_start', 'ready'],
    ['a clear', 'SessionStart', { source: 'clear' }, 'idle', 'session_start', 'ready'],
    ['a resume', 'SessionStart', { source: 'resume' }, 'idle', 'session_start', 'ready'],
    ['a fork', 'SessionStart', { source: 'fork' }, 'idle', 'session_start', 'ready'],
    ['a compaction’s start', 'SessionStart', { source: 'compact' }, 'running', 'user_prompt', 'active'],
    ['a prompt', 'UserPromptSubmit', { prompt_id: 'p2' }, 'running', 'user_prompt', 'active'],
    ['a tool', 'PreToolUse', { tool: 'Bash', digest: 'd1' }, 'running', 'tool_use', 'active'],
    [
      'a question of Claude',
      'PreToolUse',
      { tool: 'AskUserQuestion' },
      'needs_user',
      'question',
      'permission',
    ],
    [
      'a question of Codex',
      'PreToolUse',
      { tool: 'request_user_input' },
      'needs_user',
      'question',
      'permission',
    ],
    ['a question of another', 'PreToolUse', { tool: 'ask_user' }, 'needs_user', 'question', 'permission'],
    ['a plan', 'PreToolUse', { tool: 'ExitPlanMode' }, 'needs_user', 'plan_approval', 'permission'],
    [
      'a tool named like a word of the language',
      'PreToolUse',
      { tool: 'constructor' },
      'running',
      'tool_use',
      'active',
    ],
    ['a tool’s end', 'PostToolUse', { tool: 'Bash', digest: 'd1' }, 'running', 'tool_use', 'active'],
    [
      'a tool’s failure',
      'PostToolUseFailure',
      { tool: 'Bash', digest: 'd1' },
      'running',
      'tool_use',
      'active',
    ],
    ['a batch’s end', 'PostToolBatch', { calls: 2 }, 'running', 'tool_use', 'active'],
    [
      'a permission request',
      'PermissionRequest',
      { tool: 'Bash', digest: 'd1' },
      'needs_user',
      'permission_request',
      'permission',
    ],
    [
      'a denial by the agent itself',
      'PermissionDenied',
      { tool: 'Bash', digest: 'd1' },
      'running',
      'permission_denied',
      'active',
    ],
    ['an elicitation', 'Elicitation', {}, 'needs_user', 'elicitation', 'permission'],
    ['an elicitation’s result', 'ElicitationResult', {}, 'running', 'elicitation_result', 'active'],
    ['a model switch', 'PreModelSwitch', {}, 'needs_user', 'dialog', 'needs_review'],
    ['a model switch’s end', 'PostModelSwitch', {}, 'running', 'user_prompt', 'active'],
    ['a notification without a type', 'Notification', {}, 'needs_user', 'notification', 'needs_review'],
    [
      'a notification of unknown type',
      'Notification',
      { notification: 'constructor' },
      'running',
      'user_prompt',
      'active',
    ],
    ['a turn’s end', 'Stop', {}, 'done', 'stop', 'completed'],
    ['a turn’s end that asks', 'Stop', { question: true }, 'needs_user', 'possible_question', 'needs_review'],
    ['a failure', 'StopFailure', { error: 'rate_limit' }, 'error', 'rate_limit', 'blocked'],
    ['a failure without a kind', 'StopFailure', {}, 'error', 'unknown', 'blocked'],
    [
      'a failed login',
      'StopFailure',
      { error: 'authentication_failed' },
      'needs_user',
      'authentication_failed',
      'permission',
    ],
    [
      'an organisation that is not allowed',
      'StopFailure',
      { error: 'oauth_org_not_allowed' },
      'needs_user',
      'oauth_org_not_allowed',
      'permission',
    ],
    [
      'an unpaid bill',
      'StopFailure',
      { error: 'billing_error' },
      'needs_user',
      'billing_error',
      'permission',
    ],
    ['a subagent’s start', 'SubagentStart', { agent_id: 'a1' }, 'running', 'user_prompt', 'active'],
    ['a subagent’s end', 'SubagentStop', { agent_id: 'a1' }, 'running', 'user_prompt', 'active'],
    ['a compaction inside the turn', 'PreCompact', {}, 'running', 'user_prompt', 'active'],
    ['a compaction’s end', 'PostCompact', {}, 'running', 'user_prompt', 'active'],
    ['the end', 'SessionEnd', { reason: 'other' }, 'idle', 'session_end', 'ready'],
    ['an interrupt', 'Interrupt', {}, 'idle', 'interrupted', 'ready'],
    ['an event without meaning', 'Other', { native: 'FileChanged' }, 'running', 'user_prompt', 'active'],
  ])('%s: %s %j leaves %s', (_what, event, fields, state, reason, lamp) => {
    const driver = prompted();
    driver.hook(event, fields);
    expect([driver.state(), driver.reason(), driver.lamp()]).toEqual([state, reason, lamp]);
  });

  it('compaction outside a turn runs, and leaves the state before it', () => {
    const driver = prompted();
    driver.hook('Stop');
    driver.hook('PreCompact', { trigger: 'manual' });
    expect([driver.state(), driver.reason(), driver.lamp()]).toEqual(['running', 'compact', 'active']);
    driver.hook('PostCompact');
    expect(driver.state()).toBe('done');
  });

  it('tools’ ends never start a turn that has ended', () => {
    for (const event of ['PostToolUse', 'PostToolUseFailure', 'PostToolBatch'] as const) {
      const driver = prompted();
      driver.hook('Stop');
      driver.hook(event, { tool: 'Bash' });
      expect(driver.state()).toBe('done');
    }
  });
});

describe('an event that means nothing', () => {
  it('changes nothing, `updated_at` least of all', () => {
    const driver = prompted();
    const before = driver.the();
    expect(driver.hook('Other', { native: 'MessageDisplay' })).toBe('no_change');
    expect(driver.hook('Notification', { notification: 'agent_completed' })).toBe('no_change');
    expect(driver.hook('Signal')).toBe('no_change');
    expect(driver.the()).toBe(before);
  });

  it('makes no session', () => {
    const driver = drive();
    for (const event of ['Other', 'PostModelSwitch', 'PostCompact', 'Signal'] as const) driver.hook(event);
    driver.hook('SubagentStop', { agent_id: 'a1' });
    driver.hook('SessionStart', { source: 'compact' });
    driver.hook('Notification', { notification: 'auth_success' });
    driver.hook('Notification', { notification: 'nonsense' });
    expect([...driver.table.sessions()]).toEqual([]);
  });

  it('a compaction’s start keeps a long turn from going stale', () => {
    const driver = prompted();
    driver.wait(9 * 60_000);
    driver.hook('SessionStart', { source: 'compact' });
    driver.wait(9 * 60_000);
    expect(driver.state()).toBe('running');
  });
});
