import { describe, expect, it } from 'vitest';
import type { EventName } from '../../../protocol/events.ts';
import { type Driver, drive, type Fields } from '../../support/driving.ts';

/** The turn of prompt p1 has ended. */
function ended(provider = 'claude'): Driver {
  const driver = drive({ defaults: { provider } });
  driver.begin();
  driver.hook('Stop', { prompt_id: 'p1' });
  expect(driver.state()).toBe('done');
  return driver;
}

describe('rule 2: who starts a turn', () => {
  it.each<[EventName, Fields, string]>([
    ['UserPromptSubmit', { prompt_id: 'p2' }, 'running'],
    ['UserPromptSubmit', {}, 'running'],
    ['PreToolUse', { tool: 'Bash', prompt_id: 'p2' }, 'running'],
    ['PermissionRequest', { tool: 'Bash', prompt_id: 'p2' }, 'needs_user'],
    ['PostToolUse', { tool: 'Bash' }, 'done'],
    ['PostToolUseFailure', { tool: 'Bash' }, 'done'],
    ['PostToolBatch', {}, 'done'],
    ['PermissionDenied', { tool: 'Bash' }, 'done'],
    ['ElicitationResult', {}, 'done'],
    ['PostModelSwitch', {}, 'done'],
    ['SubagentStart', { agent_id: 'a1' }, 'done'],
    ['PreToolUse', { tool: 'Bash', agent_id: 'a1', prompt_id: 'p2' }, 'done'],
    ['UserPromptSubmit', { agent_id: 'a1', prompt_id: 'p2' }, 'done'],
    ['Notification', { notification: 'agent_completed' }, 'done'],
  ])('after a turn’s end %s %j leaves %s', (event, fields, state) => {
    const driver = ended();
    driver.hook(event, fields);
    expect(driver.state()).toBe(state);
  });

  it('a main agent’s PermissionRequest starts one that goes on when it is answered', () => {
    const driver = ended();
    driver.hook('PermissionRequest', { tool: 'Bash', prompt_id: 'p1' }, { after: 100 });
    driver.hook('PostToolUse', { tool: 'Bash' });
    expect(driver.state()).toBe('running');
  });

  it.each([
    ['Notification', {}],
    ['PermissionRequest', { tool: 'Bash', agent_id: 'a1' }],
  ] as const)('%s %j raises without a turn: done again when it is over', (event, fields) => {
    const driver = ended();
    driver.hook(event, fields);
    expect(driver.state()).toBe('needs_user');
    driver.hook('PostToolUse', { tool: 'Bash', agent_id: 'a1' });
    expect(driver.state()).toBe('done');
  });

  it('a prompt of the turn that has ended arrives late and changes nothing', () => {
    const driver = drive();
    driver.begin();
    driver.hook('Stop', { prompt_id: 'p1', question: true });
    driver.hook('UserPromptSubmit', { prompt_id: 'p1' }, { after: 50 });
    expect(driver.reason()).toBe('possible_question');
  });

  it.each([
    [0, 'done'],
    [499, 'done'],
    [500, 'running'],
    [5_000, 'running'],
  ])('a tool of the turn that ended %i ms ago: %s', (after, state) => {
    const driver = ended();
    driver.hook('PreToolUse', { tool: 'Bash', prompt_id: 'p1' }, { after });
    expect(driver.state()).toBe(state);
  });

  it('a late tool is told by the sender’s time, not by its arrival', () => {
    const driver = ended();
    driver.hook(
      'PreToolUse',
      { tool: 'Bash', prompt_id: 'p1', sent_at: driver.now() + 400 },
      { after: 5_000 },
    );
    expect(driver.state()).toBe('done');
  });

  it('a tool of another prompt, or of none, is not late', () => {
    for (const prompt_id of ['p2', undefined]) {
      const driver = ended();
      driver.hook('PreToolUse', { tool: 'Bash', prompt_id }, { after: 10 });
      expect(driver.state()).toBe('running');
    }
  });

  it('the turn that has ended is the one that its end names', () => {
    const driver = drive();
    driver.begin();
    driver.hook('Stop', { prompt_id: 'p2' });
    driver.hook('PreToolUse', { tool: 'Bash', prompt_id: 'p2' }, { after: 10 });
    expect(driver.state()).toBe('done');
  });
});

describe('rule 2: a session first seen', () => {
  it.each<[EventName, Fields, string, string]>([
    ['SessionStart', {}, 'running', 'session_start'],
    ['SessionEnd', {}, 'idle', 'session_end'],
    ['Stop', {}, 'done', 'stop'],
    ['StopFailure', { error: 'rate_limit' }, 'error', 'rate_limit'],
    ['Interrupt', {}, 'idle', 'interrupted'],
    ['Notification', { notification: 'idle_prompt' }, 'done', 'idle_prompt'],
    ['UserPromptSubmit', {}, 'running', 'user_prompt'],
    ['PreToolUse', { tool: 'Bash' }, 'running', 'tool_use'],
    ['PostToolUse', { tool: 'Bash' }, 'running', 'tool_use'],
    ['PostToolUseFailure', { tool: 'Bash' }, 'running', 'tool_use'],
    ['PostToolBatch', {}, 'running', 'tool_use'],
    ['PermissionDenied', { tool: 'Bash' }, 'running', 'permission_denied'],
    ['ElicitationResult', {}, 'running', 'elicitation_result'],
    ['SubagentStart', { agent_id: 'a1' }, 'running', 'tool_use'],
    ['PreToolUse', { tool: 'Bash', agent_id: 'a1' }, 'running', 'tool_use'],
    ['PreCompact', {}, 'running', 'compact'],
  ])('by %s %j', (event, fields, state, reason) => {
    const driver = drive();
    driver.hook(event, fields);
    expect([driver.state(), driver.reason()]).toEqual([state, reason]);
  });

  it.each<[EventName, Fields]>([
    ['PermissionRequest', { tool: 'Bash' }],
    ['Elicitation', {}],
    ['Notification', {}],
    ['Notification', { notification: 'permission_prompt' }],
    ['Notification', { notification: 'elicitation_dialog' }],
  ])('by %s %j waits, in a turn', (event, fields) => {
    const driver = drive();
    driver.hook(event, fields);
    expect(driver.state()).toBe('needs_user');
    driver.hook('PostToolUse');
    expect(driver.state()).toBe('running');
  });

  it('takes its prompt’s id from the first event of the main agent that has one', () => {
    const driver = drive();
    driver.hook('PreToolUse', { tool: 'Bash', agent_id: 'a1', prompt_id: 'p0' });
    driver.hook('PreToolUse', { tool: 'Bash', prompt_id: 'p1' });
    driver.hook('UserPromptSubmit', { prompt_id: 'p1' });
    driver.hook('Stop', { prompt_id: 'p1' });
    expect(driver.reason()).toBe('queued_prompt');
  });
});

/** In the turn of p1 with an open request, a prompt of the same turn is typed. */
function queued(provider = 'claude', fields: Fields = { prompt_id: 'p1' }): Driver {
  const driver = drive({ defaults: { provider } });
  driver.hook('SessionStart', { source: 'startup' });
  driver.hook('UserPromptSubmit', fields);
  driver.hook('PermissionRequest', { tool: 'Bash', digest: 'd1' });
  driver.hook('UserPromptSubmit', fields);
  return driver;
}

describe('rule 2: a queued prompt (Claude)', () => {
  it('clears nothing', () => {
    expect(queued().kinds()).toEqual(['permission']);
  });

  it('the main agent’s next batch takes it in', () => {
    const driver = queued();
    driver.hook('PostToolBatch', { agent_id: 'a1' });
    expect(driver.the().queued).toBe('pending');
    driver.hook('PostToolBatch');
    driver.hook('Stop', { prompt_id: 'p1' });
    expect(driver.state()).toBe('done');
  });

  it.each<[EventName, Fields, string]>([
    ['Stop', {}, 'done'],
    ['StopFailure', { error: 'overloaded' }, 'error'],
    ['Notification', { notification: 'idle_prompt' }, 'done'],
  ])('if a Stop comes first it runs until the next %s %j', (event, fields, state) => {
    const driver = queued();
    driver.hook('PostToolUse', { tool: 'Bash', digest: 'd1' });
    driver.hook('Stop', { prompt_id: 'p1' });
    expect([driver.state(), driver.reason(), driver.lamp()]).toEqual(['running', 'queued_prompt', 'active']);
    driver.hook('PreToolUse', { tool: 'Read', prompt_id: 'p1' });
    driver.hook('PostToolUse', { tool: 'Read', prompt_id: 'p1' });
    driver.hook('PostToolBatch', { prompt_id: 'p1' });
    expect(driver.state()).toBe('running');
    driver.hook(event, fields);
    expect(driver.state()).toBe(state);
  });

  it('with another id it is a new turn even while the record still says running', () => {
    const driver = queued();
    driver.hook('UserPromptSubmit', { prompt_id: 'p2' });
    expect(driver.kinds()).toEqual([]);
    driver.hook('Stop', { prompt_id: 'p2' });
    expect(driver.state()).toBe('done');
  });

  it.each(['codex', 'qwen', 'gemini'])('%s queues none', (provider) => {
    const driver = queued(provider);
    expect(driver.kinds()).toEqual([]);
    driver.hook('Stop', { prompt_id: 'p1' });
    expect(driver.state()).toBe('done');
  });

  it('without an id none is queued', () => {
    const driver = queued('claude', {});
    expect(driver.kinds()).toEqual([]);
    driver.hook('Stop');
    expect(driver.state()).toBe('done');
  });
});

describe('rule 2: the client’s own prompt', () => {
  it('starts the turn and clears nothing', () => {
    const driver = drive();
    driver.begin();
    driver.hook('PermissionRequest', { tool: 'Bash', agent_id: 'a1' });
    driver.hook('Stop', { question: true });
    driver.hook('UserPromptSubmit', { prompt_id: 'p2', own_prompt: true });
    expect(driver.kinds()).toEqual(['permission', 'possible_question']);
    expect(driver.the().turn).toMatchObject({ running: true, id: 'p2' });
  });

  it('is no turn edge of the user', () => {
    const driver = ended();
    const { edge_at } = driver.the();
    driver.hook('UserPromptSubmit', { prompt_id: 'p2', own_prompt: true });
    expect(driver.the().edge_at).toBe(edge_at);
    driver.hook('UserPromptSubmit', { prompt_id: 'p3' });
    expect(driver.the().edge_at).toBe(driver.now() - 500);
  });
});

describe('rule 2: tools of a turn that Esc has ended without a hook', () => {
  it('hold the next turn no longer', () => {
    const driver = drive();
    driver.begin();
    driver.hook('PreToolUse', { tool: 'Bash', prompt_id: 'p1' });
    driver.hook('UserPromptSubmit', { prompt_id: 'p2' });
    expect(driver.the().open_tools).toEqual([]);
    driver.wait(10 * 60_000);
    expect(driver.state()).toBe('unknown');
  });
});
