import { describe, expect, it } from 'vitest';
import type { EventName } from '../../../protocol/events.ts';
import { type Driver, drive, type Fields, MINUTE, SECOND } from '../../support/driving.ts';

const CONFIRMING = [
  ['permission_prompt', 'notification'],
  ['worker_permission_prompt', 'notification'],
  ['elicitation_dialog', 'elicitation'],
  ['elicitation_url_dialog', 'elicitation'],
] as const;

function prompted(provider = 'claude'): Driver {
  const driver = drive({ defaults: { provider } });
  driver.begin();
  return driver;
}

function notify(driver: Driver, notification: string, more: Fields = {}, after = SECOND): string {
  return driver.hook('Notification', { notification, ...more }, { after });
}

describe('rule 5: a notification confirms', () => {
  it.each(CONFIRMING)('%s opens nothing while anything is open, and touches nothing', (notification) => {
    const driver = prompted();
    driver.hook('PermissionRequest', { tool: 'Bash', agent_id: 'a1' });
    const before = driver.the();
    expect(notify(driver, notification, {}, 6 * SECOND)).toBe('no_change');
    expect([driver.the().attentions, driver.the().updated_at]).toEqual([
      before.attentions,
      before.updated_at,
    ]);
  });

  it.each(CONFIRMING)('%s opens when a request was lost: a %s', (notification, kind) => {
    const driver = prompted();
    notify(driver, notification, {}, 6 * SECOND);
    expect([driver.state(), driver.kinds()]).toEqual(['needs_user', [kind]]);
  });

  it.each<[number, EventName, Fields, string]>([
    [300, 'PostToolUse', { tool: 'Bash' }, 'running'],
    [301, 'PostToolUse', { tool: 'Bash' }, 'needs_user'],
    [300, 'Stop', {}, 'done'],
    [301, 'Stop', {}, 'needs_user'],
    [300, 'StopFailure', { error: 'overloaded' }, 'error'],
    [301, 'StopFailure', { error: 'overloaded' }, 'needs_user'],
    [300, 'UserPromptSubmit', { prompt_id: 'p2' }, 'running'],
    [301, 'UserPromptSubmit', { prompt_id: 'p2' }, 'needs_user'],
    [1, 'PreToolUse', { tool: 'Bash' }, 'needs_user'],
    [1, 'SubagentStart', { agent_id: 'a1' }, 'needs_user'],
  ])('sent %i ms after %s %j: %s', (after, event, fields, state) => {
    const driver = prompted();
    driver.hook(event, fields, { after: 10 * SECOND });
    notify(driver, 'permission_prompt', {}, after);
    expect(driver.state()).toBe(state);
  });

  it('the sender’s time counts, not the arrival', () => {
    const driver = prompted();
    driver.hook('PostToolUse', { tool: 'Bash' });
    notify(driver, 'permission_prompt', { sent_at: driver.now() + 300 }, 5 * SECOND);
    expect(driver.state()).toBe('running');
  });

  it('a prompt by hand and Qwen’s tool are resolvers too', () => {
    const byHand = prompted();
    byHand.hook('PreToolUse', {});
    notify(byHand, 'permission_prompt', {}, 200);
    expect(byHand.state()).toBe('running');
    const qwen = prompted('qwen');
    qwen.hook('PreToolUse', { tool: 'Bash' });
    notify(qwen, 'permission_prompt', {}, 200);
    expect(qwen.state()).toBe('running');
  });

  it('a queued prompt resolves nothing', () => {
    const driver = prompted();
    driver.hook('UserPromptSubmit', { prompt_id: 'p1' }, { after: 5 * SECOND });
    notify(driver, 'permission_prompt', {}, 100);
    expect(driver.state()).toBe('needs_user');
  });

  it.each(['elicitation_complete', 'elicitation_response'])(
    '%s closes elicitations, any agent’s',
    (notification) => {
      const driver = prompted();
      driver.hook('PermissionRequest', { tool: 'Bash' });
      driver.hook('Elicitation', { request: 'e1' });
      driver.hook('Elicitation', { agent_id: 'a1' });
      notify(driver, notification);
      expect(driver.kinds()).toEqual(['permission']);
      expect(notify(driver, notification)).toBe('no_change');
    },
  );

  it('what it opens wakes a session from raw stale', () => {
    const driver = prompted();
    driver.signal('stale');
    notify(driver, 'permission_prompt');
    expect([driver.state(), driver.lamp()]).toEqual(['needs_user', 'needs_review']);
  });

  it('an untyped one raises once; again it confirms and touches nothing', () => {
    const driver = prompted();
    driver.hook('Notification');
    const before = driver.the();
    expect(driver.hook('Notification')).toBe('no_change');
    expect(driver.the().attentions).toBe(before.attentions);
    expect(driver.the().updated_at).toBe(before.updated_at);
  });
});

describe('rule 5: Copilot asks by its notification', () => {
  it.each([
    ['permission_prompt', 'permission', 'permission'],
    ['elicitation_dialog', 'elicitation', 'permission'],
  ])('%s opens a %s, however soon after an answer', (notification, kind, lamp) => {
    const driver = prompted('copilot');
    driver.hook('PreToolUse', { tool: 'bash', digest: '00000000000000aa' });
    driver.hook('PostToolUse', { tool: 'bash', digest: '00000000000000aa' });
    notify(driver, notification, {}, 100);
    expect([driver.state(), driver.kinds(), driver.lamp()]).toEqual(['needs_user', [kind], lamp]);
    notify(driver, notification, {}, 100);
    expect(driver.kinds()).toEqual([kind]);
    driver.hook('PostToolUse', { tool: 'bash', digest: '00000000000000bb' });
    expect(driver.state()).toBe('running');
  });

  it('so does CodeBuddy, unless it has sent the request itself', () => {
    const driver = prompted('codebuddy');
    driver.hook('PostToolUse', { tool: 'Bash' });
    notify(driver, 'permission_prompt', {}, 100);
    expect([driver.kinds(), driver.lamp()]).toEqual([['permission'], 'permission']);
    driver.hook('PostToolUse', { tool: 'Bash' });
    driver.hook('PermissionRequest', { tool: 'Bash', digest: '00000000000000bb' });
    expect(notify(driver, 'permission_prompt')).toBe('no_change');
    expect(driver.the().attentions.map(({ tool }) => tool)).toEqual(['Bash']);
  });

  it('confirms the question that its tool has asked', () => {
    const driver = prompted('copilot');
    driver.hook('PreToolUse', { tool: 'ask_user' });
    notify(driver, 'elicitation_dialog', {}, 50);
    expect(driver.kinds()).toEqual(['question']);
  });

  it('agent_idle is a background agent’s, not the session’s', () => {
    const driver = prompted('copilot');
    expect(notify(driver, 'agent_idle')).toBe('no_change');
    expect(driver.state()).toBe('running');
  });
});

describe('rule 5: idle_prompt', () => {
  const idle = (driver: Driver) => notify(driver, 'idle_prompt', {}, MINUTE);

  it.each<[string, (driver: Driver) => void]>([
    ['a turn', () => undefined],
    [
      'a queued prompt’s turn',
      (driver) => {
        driver.hook('UserPromptSubmit', { prompt_id: 'p1' });
        driver.hook('Stop', { prompt_id: 'p1' });
      },
    ],
    [
      'a compaction',
      (driver) => {
        driver.hook('Stop');
        driver.hook('PreCompact');
      },
    ],
    ['a start', (driver) => driver.hook('SessionStart', { source: 'startup' })],
  ])('turns a forgotten running into done: %s', (_what, make) => {
    const driver = prompted();
    make(driver);
    expect(driver.state()).toBe('running');
    idle(driver);
    expect([driver.state(), driver.reason(), driver.lamp()]).toEqual(['done', 'idle_prompt', 'completed']);
  });

  it('drops the main agent’s open tools and leaves a subagent’s', () => {
    const driver = prompted();
    driver.hook('PreToolUse', { tool: 'Bash' });
    driver.hook('PreToolUse', { tool: 'Bash', agent_id: 'a1' });
    idle(driver);
    expect(driver.the().open_tools).toMatchObject([{ agent_id: 'a1' }]);
  });

  it.each<[EventName, Fields, string]>([
    ['Stop', {}, 'done'],
    ['StopFailure', { error: 'overloaded' }, 'error'],
    ['Interrupt', {}, 'idle'],
  ])('after %s %j it confirms: still %s, and nothing is touched', (event, fields, state) => {
    const driver = prompted();
    driver.hook(event, fields);
    const { turn, updated_at } = driver.the();
    expect(idle(driver)).toBe('no_change');
    expect(driver.the()).toMatchObject({ state, turn, updated_at });
  });

  it('closes the main agent’s requests but account and possible_question', () => {
    const driver = prompted();
    driver.hook('StopFailure', { error: 'billing_error' });
    driver.hook('PermissionRequest', { tool: 'Bash' });
    driver.hook('Elicitation');
    driver.hook('PermissionRequest', { tool: 'Bash', agent_id: 'a1' });
    idle(driver);
    expect(driver.the().attentions.map(({ kind, agent_id }) => [kind, agent_id])).toEqual([
      ['account', undefined],
      ['permission', 'a1'],
    ]);

    const asking = prompted();
    asking.hook('Stop', { question: true });
    asking.hook('Notification');
    idle(asking);
    expect(asking.kinds()).toEqual(['possible_question']);
  });

  it('leaves background work alone', () => {
    const driver = prompted();
    driver.hook('Stop', { background: [{ id: 'b1', type: 'shell', status: 'running' }] });
    idle(driver);
    expect(driver.reason()).toBe('background_task');
  });

  it('from Qwen it means idle without a Stop, and done with one', () => {
    const esc = prompted('qwen');
    idle(esc);
    expect([esc.state(), esc.lamp()]).toEqual(['idle', 'ready']);
    esc.hook('Stop');
    expect(esc.state()).toBe('done');
    idle(esc);
    expect(esc.state()).toBe('done');
  });
});

describe('rule 5: agent_needs_input, auth_success and other types', () => {
  it.each<[string, string, Fields | undefined, string]>([
    ['auto, a main tool open', 'auto', { tool: 'Bash' }, 'needs_user'],
    ['auto, no tool open', 'auto', undefined, 'running'],
    ['auto, only a subagent’s tool open', 'auto', { tool: 'Bash', agent_id: 'a1' }, 'running'],
    ['default, a main tool open', 'default', { tool: 'Bash' }, 'running'],
  ])('agent_needs_input: %s', (_what, permission_mode, tool, state) => {
    const driver = prompted();
    if (tool !== undefined) driver.hook('PreToolUse', { permission_mode, ...tool });
    notify(driver, 'agent_needs_input', tool === undefined ? { permission_mode } : {});
    expect(driver.state()).toBe(state);
  });

  it('agent_needs_input opens nothing while anything is open', () => {
    const driver = prompted();
    driver.hook('PreToolUse', { tool: 'Bash', permission_mode: 'auto' });
    driver.hook('Elicitation');
    notify(driver, 'agent_needs_input');
    expect(driver.kinds()).toEqual(['elicitation']);
  });

  it('auth_success closes account, and the failure with it', () => {
    const driver = prompted();
    driver.hook('StopFailure', { error: 'authentication_failed' });
    notify(driver, 'auth_success');
    expect([driver.state(), driver.reason(), driver.lamp()]).toEqual(['idle', 'auth_success', 'ready']);
  });

  it('auth_success mends no other failure, and no turn that runs', () => {
    const failed = prompted();
    failed.hook('StopFailure', { error: 'overloaded' });
    expect(notify(failed, 'auth_success')).toBe('no_change');
    expect(failed.state()).toBe('error');
    const running = prompted();
    running.hook('StopFailure', { error: 'billing_error' });
    running.hook('PreToolUse', { tool: 'Bash', prompt_id: 'p2' });
    notify(running, 'auth_success');
    expect([running.state(), running.kinds()]).toEqual(['running', []]);
  });

  it.each(['agent_completed', 'computer_use_enter', 'toString', 'other'])(
    '%s changes nothing',
    (notification) => {
      const driver = prompted();
      const before = driver.the();
      expect(notify(driver, notification)).toBe('no_change');
      expect(driver.the()).toBe(before);
    },
  );
});
