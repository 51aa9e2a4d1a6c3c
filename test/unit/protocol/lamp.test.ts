import { describe, expect, it } from 'vitest';
import { overallLamp } from '../../../protocol/aggregate.ts';
import type { EventName, SignalName } from '../../../protocol/events.ts';
import { strongerLamp } from '../../../protocol/lamp.ts';
import { LAMP_STATES, type LampState } from '../../../protocol/states.ts';
import { type Driver, drive, type Fields, MINUTE, SECOND } from '../../support/driving.ts';

const MAKE: Readonly<Record<LampState, (driver: Driver, fields: Fields) => unknown>> = {
  paused: (driver, fields) => driver.signal('paused', fields),
  blocked: (driver, fields) => driver.hook('StopFailure', { error: 'overloaded', ...fields }),
  permission: (driver, fields) => driver.hook('PermissionRequest', { tool: 'Bash', ...fields }),
  needs_review: (driver, fields) => driver.hook('Notification', fields),
  stale: (driver, fields) => driver.signal('stale', fields),
  active: (driver, fields) => driver.hook('UserPromptSubmit', fields),
  completed: (driver, fields) => driver.hook('Stop', fields),
  ready: (driver, fields) => driver.hook('SessionEnd', fields),
};

describe('a provider’s lamp (section 6)', () => {
  it.each<[LampState, LampState, LampState]>([
    ['active', 'ready', 'active'],
    ['active', 'permission', 'permission'],
    ['active', 'needs_review', 'needs_review'],
    ['permission', 'blocked', 'blocked'],
    ['completed', 'active', 'active'],
    ['completed', 'ready', 'completed'],
    ['stale', 'ready', 'stale'],
    ['paused', 'active', 'paused'],
  ])('%s and %s: %s', (a, b, lamp) => {
    for (const cwd of ['/w/b', '/w/a']) {
      const driver = drive();
      MAKE[a](driver, { session_id: 'a', cwd: '/w/a' });
      MAKE[b](driver, { session_id: 'b', cwd });
      expect([driver.lamp('a'), driver.lamp('b')]).toEqual([a, b]);
      expect(driver.table.lamp('claude')).toBe(lamp);
      expect(driver.table.signal('claude').lamp).toBe(lamp);
    }
  });

  const pairs = LAMP_STATES.flatMap((a, index) => LAMP_STATES.slice(index).map((b) => [a, b] as const));

  it.each(pairs)('%s is not weaker than %s, of sessions and of providers', (a, b) => {
    expect(strongerLamp(a, b)).toBe(a);
    expect(strongerLamp(b, a)).toBe(a);
    expect(overallLamp([b, a])).toBe(a);
    const driver = drive();
    MAKE[b](driver, { session_id: 'b', provider: 'codex' });
    MAKE[a](driver, { session_id: 'a', cwd: '/w/a' });
    expect(driver.table.lampAll()).toBe(a);
  });

  it('of nothing at all', () => {
    expect(overallLamp([])).toBe('ready');
    expect(drive().table.lampAll()).toBe('ready');
  });
});

describe('a session’s lamp: first that holds', () => {
  it('paused before an open request, a request before a failed turn, a failed turn before stale', () => {
    const driver = drive();
    driver.hook('StopFailure', { error: 'overloaded' });
    driver.signal('stale');
    expect([driver.state(), driver.lamp()]).toEqual(['unknown', 'blocked']);

    const waiting = drive();
    waiting.hook('StopFailure', { error: 'billing_error' });
    expect(waiting.lamp()).toBe('permission');
    waiting.signal('stale');
    expect([waiting.state(), waiting.lamp()]).toEqual(['unknown', 'permission']);
    waiting.signal('paused');
    expect(waiting.lamp()).toBe('paused');
  });

  it.each<[EventName, Fields, LampState]>([
    ['PermissionRequest', { tool: 'Bash' }, 'permission'],
    ['PreToolUse', { tool: 'ExitPlanMode' }, 'permission'],
    ['PreToolUse', { tool: 'AskUserQuestion' }, 'permission'],
    ['Elicitation', {}, 'permission'],
    ['StopFailure', { error: 'billing_error' }, 'permission'],
    ['Notification', {}, 'needs_review'],
    ['Stop', { question: true }, 'needs_review'],
    ['PreModelSwitch', {}, 'needs_review'],
  ])('%s %j: %s', (event, fields, lamp) => {
    const driver = drive();
    driver.hook(event, fields);
    expect(driver.lamp()).toBe(lamp);
  });
});

/** A request that only the turn's end has closed. */
function unseen(lamp: LampState): Driver {
  const driver = drive();
  driver.begin();
  MAKE[lamp](driver, {});
  driver.hook('Stop', { prompt_id: 'p1' });
  return driver;
}

describe('latch: completion does not downgrade an alert that nobody has seen', () => {
  it.each(['permission', 'needs_review'] as const)('%s stays through Stop and SessionEnd', (lamp) => {
    const driver = unseen(lamp);
    expect([driver.state(), driver.lamp()]).toEqual(['done', lamp]);
    driver.hook('SessionEnd');
    expect([driver.state(), driver.lamp()]).toEqual(['idle', lamp]);
    driver.wait(MINUTE);
    expect(driver.lamp()).toBe(lamp);
  });

  it('what the SessionEnd alone closes stays too: a request, a question, a failure', () => {
    const asked = drive();
    asked.hook('PermissionRequest', { tool: 'Bash' });
    asked.hook('SessionEnd');
    expect([asked.state(), asked.lamp()]).toEqual(['idle', 'permission']);
    const question = drive();
    question.hook('Stop', { question: true });
    question.hook('SessionEnd');
    expect([question.state(), question.lamp()]).toEqual(['idle', 'needs_review']);
    const failed = drive();
    failed.hook('StopFailure', { error: 'overloaded' });
    failed.hook('SessionEnd');
    expect([failed.state(), failed.lamp()]).toEqual(['idle', 'blocked']);
  });

  it('of several the strongest', () => {
    const driver = drive();
    driver.begin();
    driver.hook('Notification');
    driver.hook('PermissionRequest', { tool: 'Bash' });
    driver.hook('Stop');
    expect(driver.lamp()).toBe('permission');
    driver.hook('UserPromptSubmit', { prompt_id: 'p2' });
    driver.hook('Notification');
    driver.hook('Stop');
    expect(driver.lamp()).toBe('needs_review');
    driver.hook('Stop', { question: true });
    driver.hook('SessionEnd');
    expect(driver.lamp()).toBe('needs_review');
  });

  it.each<[string, EventName, Fields, LampState]>([
    ['an active event', 'UserPromptSubmit', { prompt_id: 'p2' }, 'active'],
    ['a tool', 'PreToolUse', { tool: 'Bash', prompt_id: 'p2' }, 'active'],
    ['a compaction', 'PreCompact', {}, 'active'],
    ['a stronger one', 'StopFailure', { error: 'overloaded' }, 'blocked'],
    ['an interrupt', 'Interrupt', {}, 'ready'],
  ])('until %s', (_what, event, fields, lamp) => {
    const driver = unseen('permission');
    driver.hook(event, fields);
    expect(driver.lamp()).toBe(lamp);
    driver.hook('SessionEnd');
    expect(driver.lamp()).toBe(lamp === 'blocked' ? 'blocked' : 'ready');
  });

  it.each<[string, EventName, Fields]>([
    ['a start', 'SessionStart', { source: 'resume' }],
    ['a tool’s end', 'PostToolUse', { tool: 'Bash' }],
    ['a confirmation', 'Notification', { notification: 'idle_prompt' }],
    ['a late prompt', 'UserPromptSubmit', { prompt_id: 'p1' }],
  ])('not until %s', (_what, event, fields) => {
    const driver = unseen('permission');
    driver.hook(event, fields);
    expect(driver.lamp()).toBe('permission');
  });

  it('a weaker wait is shown below it and ends it', () => {
    const driver = unseen('permission');
    driver.hook('Notification');
    expect([driver.state(), driver.lamp()]).toEqual(['needs_user', 'needs_review']);
  });

  it('until the record’s end', () => {
    const driver = unseen('permission');
    driver.wait(5 * MINUTE);
    expect(driver.find()).toBeUndefined();
    expect(driver.table.lamp('claude')).toBe('ready');
  });

  it.each<[string, EventName, Fields]>([
    ['its tool’s end', 'PostToolUse', { tool: 'Bash' }],
    ['a prompt', 'UserPromptSubmit', { prompt_id: 'p2' }],
    ['a failed end', 'StopFailure', { error: 'overloaded' }],
    ['a start', 'SessionStart', { source: 'clear' }],
  ])('what %s closes leaves none', (_what, event, fields) => {
    const driver = drive();
    driver.begin();
    driver.hook('PermissionRequest', { tool: 'Bash' });
    driver.hook(event, fields);
    expect(driver.the().latch).toBeUndefined();
    driver.hook('UserPromptSubmit', { prompt_id: 'p3' });
    driver.hook('Stop');
    expect(driver.lamp()).toBe('completed');
  });

  it.each<[SignalName, LampState]>([
    ['permission', 'permission'],
    ['attention', 'needs_review'],
    ['blocked', 'blocked'],
    ['stale', 'stale'],
    ['paused', 'paused'],
  ])('a raw %s stays through Stop and SessionEnd', (signal, lamp) => {
    const driver = drive();
    driver.begin();
    driver.signal(signal);
    driver.hook('Stop');
    expect(driver.lamp()).toBe(lamp);
    driver.hook('SessionEnd');
    expect([driver.state(), driver.lamp()]).toEqual(['idle', lamp]);
    driver.hook('UserPromptSubmit', { prompt_id: 'p2' });
    expect(driver.lamp()).toBe('active');
  });

  it('a raw signal does not hide a stronger latch', () => {
    const driver = unseen('permission');
    driver.signal('stale');
    expect([driver.state(), driver.lamp()]).toEqual(['unknown', 'permission']);
    driver.signal('idle');
    expect(driver.lamp()).toBe('ready');
  });

  it('`completed` is not due while a latch is shown, and the lamp is not told of twice', () => {
    const driver = unseen('permission');
    driver.table.takeChanges();
    driver.wait(30 * SECOND);
    expect(driver.table.takeChanges().sessions.size).toBe(0);
    expect(driver.lamp()).toBe('permission');
  });
});

describe('a request that the user has acknowledged', () => {
  it('counts no more for state and lamp, until it is closed', () => {
    const driver = drive();
    driver.begin();
    driver.hook('PermissionRequest', { tool: 'Bash' });
    const session = driver.the();
    const acked = session.attentions.map((open) => open.id);
    const again = drive();
    again.table.restore({ sessions: [{ ...session, acked }], providers: [] }, driver.now());
    again.table.advance(driver.now());
    expect([again.state(), again.lamp()]).toEqual(['running', 'active']);
    again.wait(4 * SECOND);
    again.hook('PermissionRequest', { tool: 'Bash' });
    expect([again.state(), again.the().acked]).toEqual(['running', acked]);
    again.hook('Stop');
    expect([again.lamp(), again.the().acked]).toEqual(['completed', []]);
  });
});

describe('when what was known is lost', () => {
  it('nothing is green until live evidence is in', () => {
    const driver = drive();
    driver.table.distrust(driver.now());
    expect(driver.table.providers().map((slug) => driver.table.lamp(slug))).toEqual(['stale', 'stale']);
    driver.hook('Stop');
    driver.wait(10 * MINUTE);
    expect([driver.table.lamp('claude'), driver.table.lamp('codex')]).toEqual(['ready', 'stale']);
  });

  it('all that is known can be told again', () => {
    const driver = drive();
    driver.begin();
    driver.hook('Stop', { provider: 'codex' });
    const { sessions, providers } = driver.table.everything();
    expect([...sessions.values()]).toEqual([...driver.table.sessions()]);
    expect([...providers.keys()]).toEqual(['claude', 'codex']);
    expect(driver.table.size).toBe(2);
  });
});
