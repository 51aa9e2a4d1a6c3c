import { describe, expect, it } from 'vitest';
import type { EventName } from '../../../protocol/events.ts';
import { type Driver, drive, type Fields, HOUR, MINUTE, SECOND } from '../../support/driving.ts';

describe('rule 8: no permission without a person', () => {
  it('bypassPermissions is recorded, never raised', () => {
    const driver = drive();
    driver.begin();
    driver.hook('PermissionRequest', { tool: 'Bash', permission_mode: 'bypassPermissions' });
    expect(driver.the()).toMatchObject({
      state: 'running',
      permission_mode: 'bypassPermissions',
      attentions: [],
    });
  });

  function headless(entrypoint: string): Driver {
    const driver = drive();
    driver.begin({ entrypoint });
    return driver;
  }

  it.each<[EventName, Fields]>([
    ['PermissionRequest', { tool: 'Bash' }],
    ['PreToolUse', { tool: 'AskUserQuestion' }],
    ['Elicitation', {}],
  ])('sdk-*: a %s is raised 300 ms later if it is still open', (event, fields) => {
    for (const entrypoint of ['sdk-cli', 'sdk-ts', 'sdk-py']) {
      const driver = headless(entrypoint);
      driver.hook(event, fields);
      expect([driver.state(), driver.lamp()]).toEqual(['running', 'active']);
      driver.wait(299);
      expect([driver.state(), driver.lamp()]).toEqual(['running', 'active']);
      driver.wait(1);
      expect([driver.state(), driver.lamp()]).toEqual(['needs_user', 'permission']);
      expect(driver.the().state_since).toBe(driver.now());
    }
  });

  it('what answers itself is never shown, not even as a latch', () => {
    for (const [event, fields] of [
      ['PostToolUse', { tool: 'Bash' }],
      ['Stop', {}],
    ] as const) {
      const driver = headless('sdk-cli');
      driver.hook('PermissionRequest', { tool: 'Bash' });
      driver.table.takeChanges();
      driver.hook(event, fields, { after: 100 });
      driver.wait(SECOND);
      expect(driver.table.takeChanges().transitions.map((step) => step.to)).not.toContain('needs_user');
      expect([driver.lamp(), driver.alert()]).toEqual([event === 'Stop' ? 'completed' : 'active', 0]);
    }
  });

  it('alerts 500 ms after it was raised', () => {
    const driver = headless('sdk-ts');
    driver.hook('PermissionRequest', { tool: 'Bash' });
    driver.wait(799);
    expect(driver.alert()).toBe(0);
    driver.wait(1);
    expect(driver.alert()).toBe(1);
  });

  it('one that is held counts as open for a notification that would confirm it', () => {
    const driver = headless('sdk-ts');
    driver.hook('PermissionRequest', { tool: 'Bash' });
    driver.hook('Notification', { notification: 'permission_prompt' }, { after: 50 });
    expect(driver.kinds()).toEqual(['permission']);
  });

  it.each(['cli', 'claude-vscode'])('%s: at once', (entrypoint) => {
    const driver = headless(entrypoint);
    driver.hook('PermissionRequest', { tool: 'Bash' });
    expect(driver.state()).toBe('needs_user');
  });
});

describe('rule 10: a long tool is not stale', () => {
  function working(): Driver {
    const driver = drive();
    driver.begin();
    driver.hook('PreToolUse', { tool: 'Bash', digest: 'd1', call: 'c1' });
    return driver;
  }

  it('an open tool holds running, at most 2 h', () => {
    const driver = working();
    driver.wait(2 * HOUR - 1);
    expect(driver.state()).toBe('running');
    driver.wait(1);
    expect([driver.state(), driver.reason(), driver.lamp()]).toEqual(['unknown', 'stale', 'stale']);
    driver.wait(20 * MINUTE - 1);
    expect(driver.state()).toBe('unknown');
    driver.wait(1);
    expect(driver.find()).toBeUndefined();
  });

  it.each<[string, EventName, Fields]>([
    ['its end, by the call’s id', 'PostToolUse', { tool: 'Renamed', call: 'c1' }],
    ['its end, by its key', 'PostToolUse', { tool: 'Bash', digest: 'd1' }],
    ['its failure', 'PostToolUseFailure', { tool: 'Bash', digest: 'd1' }],
    ['its denial', 'PermissionDenied', { tool: 'Bash', digest: 'd1' }],
    ['the end of its batch', 'PostToolBatch', {}],
    ['an end by hand', 'PostToolUse', {}],
  ])('no longer after %s', (_what, event, fields) => {
    const driver = working();
    driver.hook(event, fields);
    driver.wait(10 * MINUTE - 1);
    expect(driver.state()).toBe('running');
    driver.wait(1);
    expect(driver.state()).toBe('unknown');
  });

  it.each<[string, EventName, Fields]>([
    ['another call’s end', 'PostToolUse', { tool: 'Bash', digest: 'd1', call: 'c2' }],
    ['another input’s end', 'PostToolUse', { tool: 'Bash', digest: 'd2' }],
    ['another agent’s end', 'PostToolUse', { tool: 'Bash', digest: 'd1', agent_id: 'a1' }],
    ['another agent’s end by hand', 'PostToolUse', { agent_id: 'a1' }],
    ['another agent’s batch', 'PostToolBatch', { agent_id: 'a1' }],
  ])('still after %s', (_what, event, fields) => {
    const driver = working();
    driver.hook(event, fields);
    driver.wait(30 * MINUTE);
    expect(driver.state()).toBe('running');
  });

  it('keeps no session running past its turn’s end', () => {
    const driver = working();
    driver.hook('Stop');
    expect(driver.state()).toBe('done');
    driver.wait(5 * MINUTE);
    expect(driver.find()).toBeUndefined();
  });

  it('holds running alone', () => {
    const driver = working();
    driver.hook('PermissionRequest', { tool: 'Bash', digest: 'd1' });
    driver.wait(HOUR);
    expect(driver.find()).toBeUndefined();
  });

  it('of a flood the last 64 are known', () => {
    const driver = drive();
    for (let index = 0; index < 70; index++) driver.hook('PreToolUse', { tool: `t${index}` });
    expect(driver.the().open_tools.map((open) => open.tool)).toEqual(
      Array.from({ length: 64 }, (_, index) => `t${index + 6}`),
    );
  });

  it.each<[EventName, Fields]>([
    ['Notification', { notification: 'agent_completed' }],
    ['Notification', { notification: 'nonsense' }],
    ['Other', { native: 'MessageDisplay' }],
  ])('%s %j does not touch the timers', (event, fields) => {
    const driver = drive();
    driver.begin();
    driver.hook(event, fields, { after: 9 * MINUTE });
    driver.wait(MINUTE);
    expect(driver.state()).toBe('unknown');
  });
});

describe('rule 12: a session whose only event is its start', () => {
  it('expires into removal, not into unknown, and leaves nothing', () => {
    const driver = drive();
    driver.hook('SessionStart');
    driver.hook('SessionStart', { source: 'compact' });
    driver.wait(10 * MINUTE - 1);
    expect(driver.state()).toBe('running');
    driver.wait(1);
    expect(driver.find()).toBeUndefined();
    expect(driver.table.lamp('claude')).toBe('ready');
  });

  it('anything else heard of it makes it a session like any other', () => {
    const driver = drive();
    driver.begin();
    driver.hook('SessionStart');
    driver.wait(10 * MINUTE);
    expect(driver.state()).toBe('unknown');
  });
});

describe('rule 13: only threads that a hook has named', () => {
  const codex = () => drive({ defaults: { provider: 'codex', session_id: 't1' } });
  const notified: Fields = { notify: true, prompt_id: 'p1' };

  it('one that no hook has announced is ignored while hooks work', () => {
    const driver = codex();
    driver.begin();
    expect(driver.hook('Stop', { ...notified, session_id: 't2' })).toBe('no_change');
    expect(driver.find('t2')).toBeUndefined();
  });

  it('is believed when no hook has been heard, or none for a day', () => {
    const silent = codex();
    expect(silent.hook('Stop', notified)).toBe('applied');
    expect(silent.state('t1')).toBe('done');
    const driver = codex();
    driver.begin();
    driver.hook('Stop', { ...notified, session_id: 't2' }, { after: 24 * HOUR + SECOND });
    expect(driver.state('t2')).toBe('done');
  });

  it('its own words are no hooks', () => {
    const driver = codex();
    driver.hook('Stop', notified);
    driver.hook('Stop', { ...notified, session_id: 't2' });
    expect(driver.state('t2')).toBe('done');
  });

  it('ends the turn of a thread that is known', () => {
    const driver = codex();
    driver.begin();
    driver.hook('Stop', notified);
    expect(driver.state('t1')).toBe('done');
  });

  it('repeats the Stop hook, and tells old news of another turn: nothing', () => {
    const driver = codex();
    driver.begin();
    expect(driver.hook('Stop', { ...notified, prompt_id: 'p0' })).toBe('no_change');
    driver.hook('Stop', { prompt_id: 'p1' });
    expect(driver.hook('Stop', notified)).toBe('no_change');
  });

  it('of a turn without an id it is believed', () => {
    const driver = codex();
    driver.hook('UserPromptSubmit', {});
    driver.hook('Stop', notified);
    expect(driver.state('t1')).toBe('done');
  });
});
