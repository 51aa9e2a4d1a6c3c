import { describe, expect, it } from 'vitest';
import { type NameRules, projectNamer } from '../../../protocol/project-name.ts';
import { drive, sha256 } from '../../support/driving.ts';

function named(cwd: string | undefined, rules: Partial<NameRules> = {}, id = '019a-bcde-f') {
  const { short, long } = projectNamer({ roots: [], names: {}, ...rules })(cwd, id);
  return [short, long];
}

describe('project names (section 2)', () => {
  it.each<[cwd: string | undefined, short: string, long: string]>([
    ['/home/dev/shop', 'shop', 'dev/shop'],
    ['/home/dev/shop/', 'shop', 'dev/shop'],
    ['/home//dev/./shop', 'shop', 'dev/shop'],
    ['shop', 'shop', 'shop'],
    ['/shop', 'shop', 'shop'],
    ['/', '/', '/'],
    ['C:\\Users\\dev\\shop', 'shop', 'dev/shop'],
    ['c:/Users/dev/shop', 'shop', 'dev/shop'],
    ['\\\\server\\share\\shop\\', 'shop', 'share/shop'],
    ['C:\\', 'C:', 'C:'],
    // A backslash is a letter of a POSIX name.
    ['/home/dev/back\\slash', 'back\\slash', 'dev/back\\slash'],
    ['/home/dev/naïve 計画', 'naïve 計画', 'dev/naïve 計画'],
    ['/home/dev/a\u0007b\u202ec', 'abc', 'dev/abc'],
    ['/home/\u0001', '?', 'home/'],
    [undefined, '019a-b', '019a-b'],
  ])('%j: %j, with its parent %j', (cwd, short, long) => {
    expect(named(cwd)).toEqual([short, long]);
  });

  it('is at most 40 characters, whole ones', () => {
    expect(named(`/w/${'x'.repeat(50)}`)).toEqual(['x'.repeat(40), `w/${'x'.repeat(38)}`]);
    expect(named(`/${'x'.repeat(39)}🚦`)[0]).toBe('x'.repeat(39));
    expect(named(`/${'x'.repeat(38)}🚦y`)[0]).toBe(`${'x'.repeat(38)}🚦`);
  });

  it('a session that has neither cwd nor a printable id has a name too', () => {
    expect(named(undefined, {}, '\u0001\u0002')).toEqual(['?', '?']);
  });

  it.each<[roots: string[], cwd: string, short: string, long: string]>([
    [['/home/dev'], '/home/dev/shop', 'shop', 'shop'],
    [['/home/dev/'], '/home/dev/client/shop', 'shop', 'client/shop'],
    [['/home', '/home/dev'], '/home/dev/shop', 'shop', 'shop'],
    [['/home/dev/shop'], '/home/dev/shop', 'shop', 'dev/shop'],
    [['/home/de'], '/home/dev/shop', 'shop', 'dev/shop'],
    [['C:\\work'], 'C:\\work\\shop', 'shop', 'shop'],
  ])('roots %j are cut off %s', (roots, cwd, short, long) => {
    expect(named(cwd, { roots })).toEqual([short, long]);
  });

  it.each<[pattern: string, cwd: string, hit: boolean]>([
    ['/home/dev/shop', '/home/dev/shop', true],
    ['/home/dev/shop/', '/home/dev/shop', true],
    ['/home/dev/shop', '/home/dev/shop/api', false],
    ['/home/*/shop', '/home/dev/shop', true],
    ['/home/*/shop', '/home/dev/client/shop', false],
    ['/home/**/shop', '/home/dev/client/shop', true],
    ['/home/dev/shop-*', '/home/dev/shop-7', true],
    ['/home/dev/shop.v+(1)', '/home/dev/shop.v+(1)', true],
    ['/home/dev/shop.v', '/home/dev/shopXv', false],
    ['C:\\work\\*', 'C:\\work\\shop', true],
  ])('the user’s name for %s meets %s: %s', (pattern, cwd, hit) => {
    const [short, long] = named(cwd, { names: { [pattern]: 'Mine' } });
    expect(short === 'Mine' && long === 'Mine').toBe(hit);
  });

  it('the user’s name comes first, the first pattern before the second, cut like any other', () => {
    const names = { '/w/*': 'y'.repeat(50), '/w/a': 'never', '/w/b': '' };
    expect(named('/w/a', { names, roots: ['/w'] })).toEqual(['y'.repeat(40), 'y'.repeat(40)]);
    expect(named('/w/b', { names: { '/w/b': '' } })).toEqual(['?', '?']);
  });
});

describe('live projects of the same name', () => {
  function two() {
    const driver = drive();
    driver.hook('Stop', { session_id: 's1', cwd: '/home/dev/client/foo' });
    driver.hook('Stop', { session_id: 's2', cwd: '/home/dev/personal/foo' });
    return driver;
  }

  it('get their parent in front, and are told of again', () => {
    const driver = two();
    expect(driver.attention().projects).toEqual(['personal/foo', 'client/foo']);
    const told = [...driver.table.takeChanges().sessions.values()].map((session) => session?.session_id);
    expect(new Set(told)).toEqual(new Set(['s1', 's2']));
  });

  it('lose it when only one lives on', () => {
    const driver = two();
    driver.hook('PostToolUse', { session_id: 's2', cwd: '/home/dev/personal/foo' }, { after: 60_000 });
    driver.table.takeChanges();
    driver.wait(4 * 60_000);
    expect(driver.attention().projects).toEqual(['foo']);
    expect([...driver.table.takeChanges().sessions.values()].map((session) => session?.session_id)).toContain(
      's2',
    );
  });

  it('two sessions in one folder are one project', () => {
    const driver = drive();
    driver.hook('Stop', { session_id: 's1' });
    driver.hook('Stop', { session_id: 's2', provider: 'codex' });
    expect([driver.attention().projects, driver.attention('codex').projects]).toEqual([['shop'], ['shop']]);
  });

  it('a third comes with its parent, and one that goes leaves two with theirs', () => {
    const driver = two();
    driver.hook('Interrupt', { session_id: 's3', cwd: '/x/foo' }, { after: 4 * 60_000 });
    driver.hook('Interrupt', { session_id: 's2' });
    driver.wait(60_000);
    expect(driver.find('s1')).toBeUndefined();
    expect(driver.attention().projects).toEqual(['personal/foo', 'x/foo']);
  });
});

describe('identity (section 2)', () => {
  it('the key is the first 12 hex digits of SHA-256(host NUL session_id)', () => {
    const driver = drive();
    driver.hook('Stop');
    const key = sha256('studio\0s1').slice(0, 12);
    expect(driver.the().key).toBe(key);
    expect(driver.table.session('claude', key)).toBe(driver.the());
    expect(driver.table.session('codex', key)).toBeUndefined();
    expect(driver.table.projectOf(driver.the())).toBe('shop');
    expect(driver.table.projectOf({ provider: 'codex', key })).toBe('');
  });

  it('two machines, and two providers, never overwrite each other', () => {
    const driver = drive();
    driver.hook('Stop');
    driver.hook('PreToolUse', { host: 'laptop', tool: 'Bash' });
    driver.hook('SessionEnd', { provider: 'codex' });
    expect([...driver.table.sessions()].map((session) => session.state)).toEqual(['done', 'running', 'idle']);
  });

  it('an event without a host is of a host without a name', () => {
    const driver = drive({ defaults: { provider: 'codex' } });
    driver.hook('Stop', { host: undefined });
    expect(driver.the()).toMatchObject({ host: '', key: sha256('\0s1').slice(0, 12) });
    expect(driver.hook('Stop', { host: undefined, session_id: 's2', notify: true })).toBe('no_change');
  });

  it('the project is the first cwd that the session reported', () => {
    const driver = drive();
    driver.hook('SessionStart', { cwd: undefined, session_id: '01234567' });
    expect(driver.attention().primary_project).toBe('012345');
    driver.hook('UserPromptSubmit', { cwd: '/home/dev/shop', session_id: '01234567' });
    driver.hook('PreToolUse', { cwd: '/home/dev/shop/api', session_id: '01234567', tool: 'Bash' });
    expect([driver.attention().primary_project, driver.the('01234567').cwd]).toEqual([
      'shop',
      '/home/dev/shop',
    ]);
  });

  it('takes over what events tell of the session', () => {
    const driver = drive();
    const told = {
      entrypoint: 'cli',
      pid: 7,
      ppid: 6,
      tmux_pane: '%3',
      term_program: 'kitty',
      job_id: 'j1',
      transcript: '/t.jsonl',
      permission_mode: 'plan',
    };
    driver.hook('SessionStart', told);
    driver.hook('UserPromptSubmit');
    expect(driver.the()).toMatchObject(told);
  });

  it('the hub’s own clock is `updated_at`; a sender’s time ahead of its arrival counts as the arrival', () => {
    const driver = drive();
    driver.hook('Stop', { sent_at: driver.now() + 10 });
    expect(driver.the().updated_at).toBe(driver.now());
    expect(driver.the().turn.ended_at).toBe(driver.now() - 990);
    driver.hook('Interrupt', { sent_at: driver.now() + 999_999 });
    expect(driver.the().turn.ended_at).toBe(driver.now());
  });

  it('the same event id twice is one event, the same bytes within 1 s too', () => {
    const driver = drive();
    expect(driver.hook('UserPromptSubmit', { id: 'e1' })).toBe('applied');
    expect(driver.hook('UserPromptSubmit', { id: 'e1' }, { after: 60_000 })).toBe('duplicate');
    expect(driver.hook('UserPromptSubmit', { id: 'e1', provider: 'codex' })).toBe('applied');
    expect(driver.hook('Stop', {}, { fingerprint: 'f' })).toBe('applied');
    expect(driver.hook('Stop', {}, { fingerprint: 'f', after: 999 })).toBe('duplicate');
    expect(driver.hook('Stop', {}, { fingerprint: 'f', after: 1 })).toBe('applied');
  });

  it('an event that was not kept after all may come again', () => {
    const driver = drive();
    driver.hook('Stop', { id: 'e1' }, { fingerprint: 'f' });
    driver.table.forget({ v: 1, event: 'Stop', provider: 'claude', id: 'e1' }, 'f');
    expect(driver.hook('Stop', { id: 'e1' }, { fingerprint: 'f', after: 0 })).toBe('applied');
  });

  it('a provider shows when it was heard of; Claude and Codex always; in registry order', () => {
    const driver = drive({ table: { shown: ['amp'] } });
    expect(driver.table.providers()).toEqual(['claude', 'codex', 'amp']);
    driver.hook('Other', { provider: 'gemini' });
    expect(driver.table.providers()).toEqual(['claude', 'codex', 'gemini', 'amp']);
    expect(driver.table.signal('gemini').name).toBe('Gemini');
    expect(driver.table.signal('no-such').name).toBe('no-such');
  });
});
