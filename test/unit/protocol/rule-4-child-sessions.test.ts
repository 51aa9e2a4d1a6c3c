import { describe, expect, it } from 'vitest';
import { SessionTable } from '../../../protocol/table.ts';
import { type Driver, drive, type Fields, SECOND, tableOptions } from '../../support/driving.ts';

const CHILD = { session_id: 'child', parent_id: 's1' } as const;

/** A parent at work, with a child that has just begun. */
function family(): Driver {
  const driver = drive({ defaults: { provider: 'opencode' } });
  driver.begin();
  driver.hook('PreToolUse', { tool: 'task' });
  driver.hook('SessionStart', CHILD);
  return driver;
}

function ids(driver: Driver): string[] {
  return [...driver.table.sessions()].map((session) => session.session_id);
}

describe('rule 4: a child session is folded into its parent', () => {
  it('its start is a subagent’s, and no session of its own', () => {
    const driver = family();
    expect(ids(driver)).toEqual(['s1']);
    expect(driver.the().agents).toEqual(['child']);
  });

  it('need not say again whose it is', () => {
    const driver = family();
    driver.hook('UserPromptSubmit', { session_id: 'child' });
    driver.hook('PermissionRequest', { session_id: 'child', request: 'r1', tool: 'bash' });
    expect([ids(driver), driver.state()]).toEqual([['s1'], 'needs_user']);
    expect(driver.the().attentions).toMatchObject([{ agent_id: 'child', request: 'r1' }]);
    driver.hook('PostToolUse', { session_id: 'child', request: 'r1' });
    expect(driver.state()).toBe('running');
  });

  it.each(['Stop', 'StopFailure', 'Interrupt', 'SessionEnd'] as const)(
    'its %s is not the parent’s',
    (event) => {
      const driver = family();
      driver.hook('PermissionRequest', { session_id: 'child', tool: 'bash' });
      driver.hook(event, { session_id: 'child', error: 'billing_error' });
      expect([ids(driver), driver.state(), driver.the().agents]).toEqual([['s1'], 'running', []]);
      // OpenCode tells every end twice.
      driver.hook(event, { session_id: 'child' });
      expect([ids(driver), driver.state()]).toEqual([['s1'], 'running']);
    },
  );

  it('keeps the parent waiting through the end of the parent’s turn', () => {
    const driver = family();
    driver.hook('PermissionRequest', { session_id: 'child', tool: 'bash' });
    driver.hook('Stop');
    expect(driver.state()).toBe('needs_user');
  });

  it('starts no turn of its parent', () => {
    const driver = family();
    driver.hook('Stop');
    driver.hook('UserPromptSubmit', { session_id: 'child' });
    driver.hook('PreToolUse', { session_id: 'child', tool: 'bash' });
    expect(driver.state()).toBe('done');
  });

  it('a child’s child is the same parent’s', () => {
    const driver = family();
    driver.hook('SessionStart', { session_id: 'grandchild', parent_id: 'child' });
    driver.hook('PermissionRequest', { session_id: 'grandchild', tool: 'bash' });
    expect(ids(driver)).toEqual(['s1']);
    expect(driver.the().attentions).toMatchObject([{ agent_id: 'grandchild' }]);
  });

  it('one that was heard of before anything told whose it is loses its own record', () => {
    const driver = drive({ defaults: { provider: 'opencode' } });
    driver.begin();
    driver.hook('UserPromptSubmit', { session_id: 'child' });
    expect(ids(driver)).toEqual(['s1', 'child']);
    driver.hook('SessionStart', CHILD, { after: 20 });
    expect(ids(driver)).toEqual(['s1']);
    expect(driver.table.takeChanges().transitions.at(-1)).toMatchObject({
      event_type: 'removed',
      reason: 'subagent',
    });
  });

  it.each([
    ['itself', [['s1', 's1']]],
    [
      'its own child',
      [
        ['child', 's1'],
        ['s1', 'child'],
      ],
    ],
  ])('a session that calls %s its parent is nobody’s child', (_what, links) => {
    const driver = drive();
    driver.begin();
    for (const [session_id, parent_id] of links)
      driver.hook('PreToolUse', { session_id, parent_id, tool: 'Bash' });
    driver.hook('Stop');
    expect([ids(driver), driver.state()]).toEqual([['s1'], 'done']);
  });

  it('a chain without an end has one', () => {
    const driver = drive();
    for (let depth = 0; depth < 30; depth += 1)
      driver.hook('PreToolUse', { session_id: `c${depth}`, parent_id: `c${depth + 1}`, tool: 'Bash' });
    driver.hook('PreToolUse', { session_id: 'c0', tool: 'Bash' });
    expect(ids(driver).length).toBeGreaterThan(0);
  });

  it('is told apart by provider and machine', () => {
    const driver = family();
    driver.hook('UserPromptSubmit', { session_id: 'child', host: 'laptop' });
    driver.hook('UserPromptSubmit', { session_id: 'child', provider: 'claude' });
    expect(ids(driver)).toEqual(['s1', 'child', 'child']);
  });

  it('becomes a session of its own by a SessionStart that names no parent', () => {
    const driver = family();
    driver.hook('SessionStart', { session_id: 'child' });
    driver.hook('UserPromptSubmit', { session_id: 'child' });
    expect(driver.state('child')).toBe('running');
  });

  it('a raw signal is nobody’s child', () => {
    const driver = family();
    driver.signal('done', { session_id: 'child' });
    expect(driver.state('child')).toBe('done');
  });

  it('at work is known after a restart', () => {
    const before = family();
    const table = new SessionTable(tableOptions());
    table.restore({ sessions: [...before.table.sessions()], providers: [] }, before.now());
    const stop = { v: 1, event: 'Stop', provider: 'opencode', host: 'studio', session_id: 'child' } as const;
    table.apply(stop, { now: before.now() + SECOND, live: true });
    expect([...table.sessions()].map(({ session_id, state }) => [session_id, state])).toEqual([
      ['s1', 'running'],
    ]);
  });

  it('a flood of children forgets the oldest', () => {
    const driver = family();
    for (let child = 0; child < 1_000; child += 1)
      driver.hook('SessionStart', { session_id: `c${child}`, parent_id: 's1' }, { after: 1 });
    driver.hook('UserPromptSubmit', { session_id: 'c0' });
    expect(ids(driver)).toEqual(['s1']);
    driver.hook('UserPromptSubmit', { session_id: 'child' });
    expect(ids(driver)).toEqual(['s1', 'child']);
  });
});

describe('rule 4: a Copilot id without a SessionStart while a task is open', () => {
  /** Sessions of a Copilot whose events name no parent. */
  function copilot(tool = 'task'): Driver {
    const driver = drive({ defaults: { provider: 'copilot' } });
    driver.begin();
    driver.hook('PreToolUse', { tool, digest: '00000000000000aa' });
    return driver;
  }

  it.each(['task', 'Task', 'Agent'])('is a child of the session with the open %s', (tool) => {
    const driver = copilot(tool);
    driver.hook('UserPromptSubmit', { session_id: 'child' });
    driver.hook('Stop', { session_id: 'child' });
    expect([ids(driver), driver.state()]).toEqual([['s1'], 'running']);
    driver.hook('PostToolUse', { tool, digest: '00000000000000aa' });
    driver.hook('Stop', { session_id: 'child' });
    expect([ids(driver), driver.state()]).toEqual([['s1'], 'running']);
  });

  it.each<[string, (driver: Driver) => void, Fields]>([
    [
      'after the task',
      (driver) => driver.hook('PostToolUse', { tool: 'task', digest: '00000000000000aa' }),
      {},
    ],
    ['in another folder', () => undefined, { cwd: '/home/dev/other' }],
    ['on another machine', () => undefined, { host: 'laptop' }],
    ['of another agent', () => undefined, { provider: 'gemini' }],
    ['with a record of its own', (driver) => driver.hook('SessionStart', { session_id: 'child' }), {}],
    ['that names an agent', () => undefined, { agent_id: 'a1' }],
  ])('%s it is a session', (_what, before, fields) => {
    const driver = copilot();
    before(driver);
    driver.hook('UserPromptSubmit', { session_id: 'child', ...fields });
    expect(driver.find('child')).toBeDefined();
  });

  it('without a folder it is a session', () => {
    const driver = copilot();
    driver.hook('UserPromptSubmit', { session_id: 'child', cwd: undefined });
    expect(driver.state('child')).toBe('running');
  });

  it('whose SessionStart comes after its prompt is a session from then on', () => {
    const driver = copilot();
    driver.hook('UserPromptSubmit', { session_id: 'new' });
    driver.hook('SessionStart', { session_id: 'new', source: 'new' });
    driver.hook('PreToolUse', { session_id: 'new', tool: 'bash' });
    expect(driver.state('new')).toBe('running');
  });
});
