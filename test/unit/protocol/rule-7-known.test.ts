import { describe, expect, it } from 'vitest';
import type { EventName } from '../../../protocol/events.ts';
import { SessionTable } from '../../../protocol/table.ts';
import { type Driver, drive, type Fields, MINUTE, SECOND, tableOptions } from '../../support/driving.ts';
import { says, sent, sentBegin, tells } from '../../support/observing.ts';

const BASH = { tool: 'Bash', digest: '00000000000000aa' };

function begun(): Driver {
  const driver = drive();
  sentBegin(driver);
  return driver;
}

describe('rule 7: which hooks are state-relevant', () => {
  const fields: Partial<Record<EventName, Fields>> = {
    Notification: { notification: 'agent_completed' },
    SubagentStop: { agent_id: 'a1' },
    SubagentStart: { agent_id: 'a1' },
    PreToolUse: BASH,
    PostToolUse: { tool: 'Read', agent_id: 'a2' },
  };

  it.each<EventName>([
    'UserPromptSubmit',
    'PreToolUse',
    'PostToolUse',
    'PostToolUseFailure',
    'PostToolBatch',
    'PermissionRequest',
    'PermissionDenied',
    'Elicitation',
    'ElicitationResult',
    'PreModelSwitch',
    'PostModelSwitch',
    'Stop',
    'StopFailure',
    'SubagentStart',
    'SubagentStop',
    'PreCompact',
    'PostCompact',
    'SessionEnd',
    'Interrupt',
  ])('%s is: an older status has to wait', (event) => {
    const driver = begun();
    sent(driver, 'SubagentStart', { agent_id: 'a1' });
    sent(driver, event, fields[event] ?? { prompt_id: 'p2' });
    const at = driver.now();
    tells(driver, 'waiting', {}, { after: 20, ago: 30 });
    expect(driver.the().status?.contested_until).toBe(at + 700);
    expect(driver.the().attentions.every((open) => open.evidence.origin === 'hook')).toBe(true);
  });

  it.each<EventName>(['SessionStart', 'Notification', 'Other'])('%s is not', (event) => {
    const driver = begun();
    sent(driver, event, fields[event] ?? { source: 'compact' });
    tells(driver, 'waiting', {}, { after: 20, ago: 30 });
    expect(driver.state()).toBe('needs_user');
  });
});

describe('rule 7: a session no hook has told of', () => {
  it.each([
    ['busy', undefined, ['running', 'status', 'active']],
    ['shell', undefined, ['running', 'background_task', 'active']],
    ['waiting', 'permission prompt', ['needs_user', 'permission_request', 'permission']],
    ['waiting', 'dialog open', ['needs_user', 'dialog', 'needs_review']],
  ] as const)('%s %s', (value, waiting_for, shown) => {
    const driver = drive();
    const more = { cwd: '/home/dev/shop', pid: 77, entrypoint: 'cli', ...(waiting_for && { waiting_for }) };
    expect(tells(driver, value, more)).toBe('applied');
    expect(says(driver)).toEqual(shown);
    expect(driver.the()).toMatchObject({ project_name: 'shop', pid: 77, entrypoint: 'cli', by_hand: false });
    driver.wait(SECOND);
    expect(driver.alert()).toBe(waiting_for === 'permission prompt' ? 1 : 0);
  });

  it('one that is idle is nobody’s business', () => {
    const driver = drive();
    expect(tells(driver, 'idle')).toBe('no_change');
    expect(driver.find()).toBeUndefined();
    driver.wait(11 * MINUTE);
    expect(driver.table.nextDeadline()).toBeUndefined();
    expect(driver.table.providers()).toEqual(drive().table.providers());
  });

  it('but what it said is known when its delayed hooks come', () => {
    const driver = drive();
    tells(driver, 'idle');
    sent(driver, 'SessionStart', { source: 'startup' }, { after: 100, ago: 150 });
    expect(says(driver)).toEqual(['idle', 'session_start', 'ready']);
  });

  it('`state.background = agents`: a shell alone is nothing that runs', () => {
    const driver = drive({ background: 'agents' });
    tells(driver, 'shell');
    expect(driver.state()).toBe('idle');
  });

  it('what hooks have told of it stays: directory, pid and entrypoint come where they were missing', () => {
    const driver = begun();
    tells(driver, 'busy', { cwd: '/elsewhere', pid: 78, entrypoint: 'cli' });
    expect(driver.the()).toMatchObject({ cwd: '/home/dev/shop', pid: 78, entrypoint: 'cli' });
  });
});

describe('rule 7: what is known already', () => {
  it('the same status again, or an older one, changes nothing', () => {
    const driver = begun();
    tells(driver, 'busy');
    const before = driver.the();
    expect(tells(driver, 'busy', {}, { after: 10, ago: 10 })).toBe('no_change');
    expect(tells(driver, 'idle', {}, { after: 10, ago: 100 })).not.toBe('late');
    expect(driver.the()).toMatchObject({
      state: 'running',
      status: { value: 'busy', at: before.status?.at },
    });
  });

  it('an old status that is read late is a status all the same: the hooks since contest it', () => {
    const driver = begun();
    sent(driver, 'PreToolUse', BASH, { after: MINUTE });
    expect(tells(driver, 'busy', {}, { after: 100, ago: 40 * SECOND })).toBe('applied');
    driver.wait(SECOND);
    expect(driver.the().status).toMatchObject({ value: 'busy' });
    driver.wait(30 * MINUTE);
    expect(driver.state()).toBe('running');
  });

  it('a time stamp ahead of the hub’s clock counts as its arrival', () => {
    const driver = begun();
    tells(driver, 'busy', {}, { ago: -MINUTE });
    expect(driver.the().status?.at).toBe(driver.now());
  });

  it('a restart keeps it', () => {
    const driver = begun();
    tells(driver, 'waiting', { waiting_for: 'input needed' });
    const again = new SessionTable(tableOptions());
    again.restore({ sessions: [...driver.table.sessions()], providers: [] }, driver.now());
    expect([...again.sessions()][0]?.status).toMatchObject({ value: 'waiting', waiting_for: 'input needed' });
  });
});
