import { describe, expect, it } from 'vitest';
import { ProviderIndex } from '../../../protocol/aggregate.ts';
import type { EventName } from '../../../protocol/events.ts';
import { type Driver, drive, type Fields, MINUTE, SECOND } from '../../support/driving.ts';

const MAKE: Readonly<Record<string, readonly [EventName, Fields]>> = {
  needs_user: ['PermissionRequest', { tool: 'Bash' }],
  error: ['StopFailure', { error: 'overloaded' }],
  done: ['Stop', {}],
  running: ['UserPromptSubmit', {}],
  idle: ['SessionEnd', {}],
};

/** A session in a state, in a folder of its own unless said otherwise. */
function put(driver: Driver, id: string, state: string, fields: Fields = {}): void {
  const [event, more] = MAKE[state] as readonly [EventName, Fields];
  driver.hook(event, { session_id: id, cwd: `/w/${id}`, ...more, ...fields });
}

describe('aggregation (section 6)', () => {
  it('a provider nobody has heard of', () => {
    expect(drive().table.signal('codex')).toEqual({
      v: 1,
      name: 'Codex',
      lamp: 'ready',
      attention: {
        state: 'idle',
        count: 0,
        primary_project: '',
        projects: [],
        reason: '',
        since: 0,
        updated_at: 0,
      },
      alert: 0,
    });
  });

  it('the state is the highest-priority one: needs_user, error, done, running, idle, unknown', () => {
    const driver = drive();
    const seen: string[] = [];
    driver.signal('stale', { session_id: 'u', cwd: '/w/u' });
    seen.push(driver.attention().state);
    for (const state of ['idle', 'running', 'done', 'error', 'needs_user']) {
      put(driver, state, state);
      seen.push(driver.attention().state);
    }
    expect(seen).toEqual(['unknown', 'idle', 'running', 'done', 'error', 'needs_user']);
  });

  it('count, primary and projects: the newest first, up to three, of the strongest state alone', () => {
    const driver = drive();
    for (const id of ['a', 'b', 'c', 'd']) put(driver, id, 'running');
    put(driver, 'e', 'idle');
    expect(driver.attention()).toMatchObject({ count: 4, primary_project: 'd', projects: ['d', 'c', 'b'] });
    put(driver, 'a', 'running');
    expect(driver.attention()).toMatchObject({ count: 4, primary_project: 'a', projects: ['a', 'd', 'c'] });
    put(driver, 'a', 'idle');
    expect(driver.attention()).toMatchObject({ count: 3, primary_project: 'd', projects: ['d', 'c', 'b'] });
  });

  it('records of one host and cwd count once: the strongest, then the newest', () => {
    const driver = drive();
    put(driver, 's1', 'needs_user', { cwd: '/w/shop' });
    put(driver, 's2', 'needs_user', { cwd: '/w/shop', session_id: 's2', tool: 'Write' });
    put(driver, 's3', 'running', { cwd: '/w/shop' });
    expect(driver.attention()).toMatchObject({ state: 'needs_user', count: 1, projects: ['shop'] });
    expect(driver.attention().since).toBe(Math.floor(driver.the('s2').state_since / 1000));
    put(driver, 's2', 'done', { cwd: '/w/shop' });
    expect(driver.attention().since).toBe(Math.floor(driver.the('s1').state_since / 1000));
    expect([...driver.table.sessions()]).toHaveLength(3);
  });

  it('the same folder on two hosts counts twice and is named once', () => {
    const driver = drive();
    put(driver, 's1', 'running', { cwd: '/w/shop' });
    put(driver, 's1', 'running', { cwd: '/w/shop', host: 'laptop' });
    expect(driver.attention()).toMatchObject({ count: 2, projects: ['shop'] });
  });

  it('sessions without a cwd stand for themselves, until they tell one', () => {
    const driver = drive();
    put(driver, 'aaaaaaaa', 'running', { cwd: undefined } as unknown as Fields);
    put(driver, 'bbbbbbbb', 'running', { cwd: undefined } as unknown as Fields);
    expect(driver.attention()).toMatchObject({ count: 2, projects: ['bbbbbb', 'aaaaaa'] });
    put(driver, 'aaaaaaaa', 'running', { cwd: '/w/shop' });
    put(driver, 'bbbbbbbb', 'running', { cwd: '/w/shop' });
    expect(driver.attention()).toMatchObject({ count: 1, projects: ['shop'] });
  });

  it('reason, since and updated_at are the primary’s, in unix seconds', () => {
    const driver = drive();
    put(driver, 'a', 'needs_user');
    driver.hook('PreToolUse', { session_id: 'a', cwd: '/w/a', tool: 'Read' }, { after: 2_900 });
    const { since, updated_at, reason } = driver.attention();
    expect(reason).toBe('permission_request');
    expect(since).toBe(Math.floor((driver.now() - 2_900) / 1000));
    expect(updated_at).toBe(Math.floor(driver.now() / 1000));
  });

  it('without a session since and updated_at tell when the last one went', () => {
    const driver = drive();
    put(driver, 'a', 'done');
    driver.wait(5 * MINUTE);
    const gone = Math.floor(driver.now() / 1000);
    expect(driver.attention()).toMatchObject({ state: 'idle', count: 0, since: gone, updated_at: gone });
  });

  it('a provider’s sessions are no other’s', () => {
    const driver = drive();
    put(driver, 'a', 'needs_user', { provider: 'codex' });
    expect([driver.attention().state, driver.attention('codex').state]).toEqual(['idle', 'needs_user']);
  });

  it('of a flood of the same name the newest 64 are looked at', () => {
    const driver = drive({ table: { names: { roots: [], names: { '/w/*': 'same', '/other': 'other' } } } });
    put(driver, 'x', 'running', { cwd: '/other' });
    for (let index = 0; index < 63; index++) put(driver, `s${index}`, 'running');
    expect(driver.attention().projects).toEqual(['same', 'other']);
    put(driver, 's63', 'running');
    expect(driver.attention()).toMatchObject({ count: 65, projects: ['same'] });
  });

  it('an index without sessions has nothing to tell', () => {
    const index = new ProviderIndex(() => {
      throw new Error('no session');
    });
    expect([index.empty, index.lamp(), index.leading(() => '')]).toEqual([true, undefined, undefined]);
    const driver = drive();
    put(driver, 'a', 'done');
    expect([...index.sameProject(driver.the('a'), ['done'])]).toEqual([]);
    index.remove('a', driver.the('a'));
    expect(index.empty).toBe(true);
  });
});

describe('alert (section 6)', () => {
  const ask = (driver: Driver, fields: Fields = {}, live = true) =>
    driver.hook('PermissionRequest', { tool: 'Bash', ...fields }, { live });

  function prompted(): Driver {
    const driver = drive();
    driver.begin();
    return driver;
  }

  it('grows by one 500 ms after a session entered needs_user; the state changes at once', () => {
    const driver = prompted();
    ask(driver);
    expect([driver.state(), driver.alert()]).toEqual(['needs_user', 0]);
    driver.wait(499);
    expect(driver.alert()).toBe(0);
    driver.wait(1);
    expect(driver.alert()).toBe(1);
    driver.wait(10 * MINUTE);
    expect(driver.alert()).toBe(1);
  });

  it('not if it has left before', () => {
    const driver = prompted();
    ask(driver);
    driver.hook('PostToolUse', { tool: 'Bash' }, { after: 499 });
    driver.wait(MINUTE);
    expect(driver.alert()).toBe(0);
  });

  it('a resolver at the very moment comes too late', () => {
    const driver = prompted();
    ask(driver);
    driver.hook('PostToolUse', { tool: 'Bash' }, { after: 500 });
    expect([driver.state(), driver.alert()]).toEqual(['running', 1]);
  });

  it('a refresh of the same wait, the same request again and another request beside it do not', () => {
    const driver = prompted();
    ask(driver);
    driver.wait(SECOND);
    ask(driver);
    driver.hook('PreToolUse', { tool: 'Read' });
    ask(driver, { tool: 'Write' });
    driver.hook('Notification', { notification: 'permission_prompt' });
    driver.hook('PostToolUse', { tool: 'Bash' });
    driver.wait(MINUTE);
    expect([driver.state(), driver.alert()]).toEqual(['needs_user', 1]);
  });

  it('a refresh before it is due does not put it off', () => {
    const driver = prompted();
    ask(driver);
    driver.hook('PreToolUse', { tool: 'Read' }, { after: 400 });
    driver.wait(100);
    expect(driver.alert()).toBe(1);
  });

  it('entering again counts again; it never falls, not even when the session goes', () => {
    const driver = prompted();
    for (let round = 1; round <= 3; round++) {
      ask(driver);
      driver.wait(SECOND);
      driver.hook('PostToolUse', { tool: 'Bash' });
      expect(driver.alert()).toBe(round);
    }
    driver.wait(100 * MINUTE);
    expect([driver.find(), driver.alert()]).toEqual([undefined, 3]);
  });

  it('two sessions count for two, also in one folder', () => {
    const driver = drive();
    ask(driver);
    ask(driver, { session_id: 's2' });
    driver.wait(SECOND);
    expect(driver.alert()).toBe(2);
  });

  it('a dialog that the user opened outside a turn does not; what comes beside it does', () => {
    const driver = prompted();
    driver.hook('Stop');
    driver.hook('PreModelSwitch');
    driver.wait(MINUTE);
    expect([driver.state(), driver.alert()]).toEqual(['needs_user', 0]);
    driver.hook('PermissionRequest', { tool: 'Bash', agent_id: 'a1' });
    driver.wait(SECOND);
    expect(driver.alert()).toBe(1);
  });

  it('a dialog inside a turn, or inside a queued prompt’s, does', () => {
    const driver = prompted();
    driver.hook('PreModelSwitch');
    driver.wait(SECOND);
    expect(driver.alert()).toBe(1);
    const queued = prompted();
    queued.hook('UserPromptSubmit', { prompt_id: 'p1' });
    queued.hook('Stop', { prompt_id: 'p1' });
    queued.hook('PreModelSwitch');
    queued.wait(SECOND);
    expect(queued.alert()).toBe(1);
  });

  it('what was not live never does, nor when a live event refreshes it', () => {
    const driver = prompted();
    ask(driver, {}, false);
    driver.wait(MINUTE);
    driver.hook('PreToolUse', { tool: 'Read' });
    driver.wait(MINUTE);
    expect([driver.state(), driver.alert()]).toEqual(['needs_user', 0]);
  });

  it('nor what is raised by time alone, in a session without a person', () => {
    const driver = drive();
    driver.begin({ entrypoint: 'sdk-ts' });
    ask(driver, {}, false);
    driver.wait(MINUTE);
    expect([driver.state(), driver.alert()]).toEqual(['needs_user', 0]);
  });

  it('is told with the provider’s record and the transitions', () => {
    const driver = prompted();
    ask(driver);
    driver.wait(SECOND);
    const { providers, transitions } = driver.table.takeChanges();
    expect(providers.get('claude')).toMatchObject({ slug: 'claude', alert: 1 });
    expect(transitions.map((step) => [step.event_type, step.alert])).toEqual([
      ['running', 0],
      ['needs_user', 0],
    ]);
  });
});

describe('transitions', () => {
  it('tell each change of state, a turn’s end that changes none, and the removal', () => {
    const driver = drive();
    driver.begin();
    driver.hook('PreToolUse', { tool: 'Bash' });
    driver.hook('Stop', { background: [{ id: 'b', type: 'shell', status: 'running' }] });
    driver.hook('Stop');
    driver.wait(5 * MINUTE);
    const { transitions } = driver.table.takeChanges();
    expect(transitions.map(({ event_type, from, to, reason }) => [event_type, from, to, reason])).toEqual([
      ['running', null, 'running', 'session_start'],
      ['turn_end', 'running', 'running', 'background_task'],
      ['done', 'running', 'done', 'stop'],
      ['removed', 'done', null, 'stop'],
    ]);
    expect(transitions[0]).toMatchObject({
      provider: 'claude',
      project: 'shop',
      key: expect.stringMatching(/^[0-9a-f]{12}$/),
    });
    expect(driver.table.takeChanges()).toMatchObject({ transitions: [] });
  });

  it('remembers when it ran last', () => {
    const driver = drive();
    driver.begin();
    const ran = driver.now();
    driver.hook('Stop');
    expect(driver.the().last_running_at).toBe(ran);
  });
});
