import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { effectiveSettings } from '../../../../runtime/config/effective.ts';
import { type FlagSetting, type LoadedConfig, loadConfig } from '../../../../runtime/config/load.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

interface Given {
  readonly toml?: string;
  readonly env?: Record<string, string>;
  readonly flags?: readonly FlagSetting[];
  readonly hostname?: string;
}

function load({
  toml,
  env = {},
  flags = [],
  hostname = 'desk',
}: Given): LoadedConfig & { readonly file: string } {
  const file = join(temporaryFolder(), 'config.toml');
  if (toml !== undefined) writeFileSync(file, toml);
  try {
    return { ...loadConfig({ file, env, flags, hostname }), file };
  } catch (error) {
    // So that a test can name the file as FILE.
    if (error instanceof Error) error.message = error.message.replaceAll(file, 'FILE');
    throw error;
  }
}

const refused = (code: string, message: string) => expect.objectContaining({ code, message });

describe('the settings', () => {
  it('have their defaults when nothing is set', () => {
    expect(load({}).config).toEqual({
      prefix: '',
      host: 'desk',
      broker: { listen: '127.0.0.1', port: 1883, socket: true, url: '', username: '', password_file: '' },
      http: { listen: '127.0.0.1', port: 4787 },
      state: {
        questions: true,
        background: 'all',
        timeouts: {
          needs_user: 3600,
          error: 1800,
          done: 300,
          running: 600,
          unknown: 1200,
          idle: 300,
          scheduled: 86400,
          completed: 30,
        },
      },
      project: { roots: [], names: {} },
      providers: {},
      privacy: { titles: false },
      history: { days: 30 },
      database: { synchronous: 'normal' },
      log: { level: 'info', format: 'auto' },
    });
  });

  it('come from the file', () => {
    const { config } = load({
      toml: `
        prefix = "team/alice"
        broker.port = 0
        [state.timeouts]
        done = 0
        idle = 1.5
        [project]
        roots = ["~/work", "/srv"]
        names = { "~/work/shop-*" = "shop" }
        [providers.aider]
        name = "Aider"
      `,
    });
    expect(config.prefix).toBe('team/alice');
    expect(config.broker.port).toBe(0);
    expect(config.state.timeouts).toMatchObject({ done: 0, idle: 1.5, running: 600 });
    expect(config.project).toEqual({ roots: ['~/work', '/srv'], names: { '~/work/shop-*': 'shop' } });
    expect(config.providers).toEqual({ aider: { name: 'Aider' } });
  });

  it('can be changed by nobody once they are loaded', () => {
    const { config } = load({ toml: 'project.roots = ["/srv"]' });
    expect(() => Object.assign(config.broker, { port: 1 })).toThrow(TypeError);
    expect(() => (config.project.roots as string[]).push('/x')).toThrow(TypeError);
  });

  it('tell where each value came from', () => {
    const { origins, file } = load({
      toml: '# mine\n[http]\nport = 5000\n',
      env: { SIGNALBOX_BROKER_PORT: '1884' },
      flags: [{ key: 'prefix', flag: '--prefix', value: 'a' }],
    });
    expect(origins.get('http.port')).toEqual({ source: 'file', detail: `${file}, line 3` });
    expect(origins.get('broker.port')).toEqual({ source: 'environment', detail: 'SIGNALBOX_BROKER_PORT' });
    expect(origins.get('prefix')).toEqual({ source: 'flag', detail: '--prefix' });
    expect(origins.get('http.listen')).toEqual({ source: 'default', detail: '' });
  });

  it.each([
    ['web.example', 'web.example'],
    ['a/b+c#d', 'a-b-c-d'],
    ['', 'localhost'],
    ['x'.repeat(80), 'x'.repeat(64)],
  ])('make one topic level of the machine name "%s"', (hostname, host) => {
    expect(load({ hostname }).config.host).toBe(host);
  });
});

describe('the file', () => {
  it.each([
    ['prot = 1', 'prot', 'broker.port', 1],
    ['[broker]\nprot = 1', 'broker.prot', 'broker.port', 2],
    ['[broker]\n\n# c\n  pasword = "x"', 'broker.pasword', 'broker.password_file', 4],
    ['[state.timeouts]\nneedsuser = 1', 'state.timeouts.needsuser', 'state.timeouts.needs_user', 2],
    ['state.timeouts.running_ = 1', 'state.timeouts.running_', 'state.timeouts.running', 1],
    ['[htp]\nport = 1', 'htp', 'http', 1],
    ['[providers.aider]\nnam = "Aider"', 'providers.aider.nam', 'providers.aider.name', undefined],
  ])('%j has an unknown key %s', (toml, key, nearest, line) => {
    const where =
      line === undefined
        ? /^The configuration FILE.* has an unknown key/
        : new RegExp(`^The configuration FILE, line ${line} has`);
    let thrown: unknown;
    try {
      load({ toml });
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({
      code: 'config_unknown_key',
      next: expect.stringContaining(`"${nearest}"`),
    });
    expect((thrown as Error).message).toContain(`"${key}"`);
    expect((thrown as Error).message).toMatch(where);
  });

  it.each([
    [
      '[http]\nport = "4787"',
      'The setting "http.port" (FILE, line 2) is wrong: it takes a whole number from 0 to 65535, not "4787".',
    ],
    [
      'http.port = 70000',
      'The setting "http.port" (FILE, line 1) is wrong: it takes a whole number from 0 to 65535, not 70000.',
    ],
    [
      'http.port = 1.5',
      'The setting "http.port" (FILE, line 1) is wrong: it takes a whole number from 0 to 65535, not 1.5.',
    ],
    ['http = 5', 'The setting "http" (FILE, line 1) is wrong: it takes a table.'],
    [
      'state.questions = "yes"',
      'The setting "state.questions" (FILE, line 1) is wrong: it takes true or false, not "yes".',
    ],
    [
      'state.timeouts.done = -1',
      'The setting "state.timeouts.done" (FILE, line 1) is wrong: it takes a number from 0 up, not -1.',
    ],
    [
      'state.timeouts.done = inf',
      'The setting "state.timeouts.done" (FILE, line 1) is wrong: it takes a number from 0 up, not null.',
    ],
    [
      'state.background = "some"',
      'The setting "state.background" (FILE, line 1) is wrong: it takes one of all, agents.',
    ],
    [
      'project.roots = "/srv"',
      'The setting "project.roots" (FILE, line 1) is wrong: it takes a list of texts, not "/srv".',
    ],
    [
      'prefix = "a/+/b"',
      'The setting "prefix" (FILE, line 1) is wrong: it takes topic levels without wildcards, such as team/alice.',
    ],
    [
      'prefix = "/a"',
      'The setting "prefix" (FILE, line 1) is wrong: it takes topic levels without wildcards, such as team/alice.',
    ],
    [
      'prefix = "$SYS"',
      'The setting "prefix" (FILE, line 1) is wrong: it takes topic levels without wildcards, such as team/alice.',
    ],
    [
      'host = "a/b"',
      'The setting "host" (FILE, line 1) is wrong: it takes one topic level of at most 64 characters.',
    ],
    [
      'broker.url = "http://x"',
      'The setting "broker.url" (FILE, line 1) is wrong: it is not mqtt, mqtts, ws or wss.',
    ],
    [
      '[providers.ALL]\nname = "x"',
      'The setting "providers.ALL" (FILE, line 1) is wrong: a name in it takes 1 to 32 of a-z, 0-9, _ and -, and not "all".',
    ],
  ])('%j is refused with the reason', (toml, message) => {
    expect(() => load({ toml })).toThrow(refused('config_bad_value', message));
  });

  it('is refused with the place when it is no TOML', () => {
    expect(() => load({ toml: 'a = 1\nb = ' })).toThrow(
      refused(
        'config_unreadable',
        expect.stringMatching(/^The configuration FILE can't be read: line 2, column \d+: [^\n]+$/),
      ),
    );
  });

  it('is refused when it can not be read', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'config.toml'));
    expect(() => loadConfig({ file: join(folder, 'config.toml'), env: {} })).toThrow(
      expect.objectContaining({ code: 'config_unreadable', message: expect.stringContaining('EISDIR') }),
    );
  });

  it('can not reach behind the settings', () => {
    expect(() => load({ toml: '[__proto__]\npolluted = true' })).toThrow(
      expect.objectContaining({ code: 'config_unknown_key' }),
    );
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe('the environment', () => {
  it('names what it does not know, and never its value', () => {
    const { warnings } = load({
      env: {
        SIGNALBOX_HTPP_PORT: 'canary',
        SIGNALBOX_HOME: '/x',
        SIGNALBOX_JOB_ID: 'j',
        SIGNALBOX_REPLAY_SOURCES: '1',
        SIGNALBOX_BROKER_PASSWORD: 'pw',
        SIGNALBOX_STATE: '',
        PATH: '/bin',
      },
    });
    expect(warnings).toEqual([
      'The variable SIGNALBOX_HTPP_PORT means nothing to Signalbox. Did you mean SIGNALBOX_HTTP_PORT?',
      expect.stringMatching(/^The variable SIGNALBOX_STATE means nothing to Signalbox\./),
    ]);
  });

  it.each([
    ['true', true],
    ['1', true],
    ['YES', true],
    ['on', true],
    ['false', false],
    ['0', false],
    ['no', false],
    ['Off', false],
  ])('reads %s as %s', (text, value) => {
    expect(load({ env: { SIGNALBOX_PRIVACY_TITLES: text } }).config.privacy.titles).toBe(value);
  });

  it('reads a list with commas', () => {
    expect(load({ env: { SIGNALBOX_PROJECT_ROOTS: ' /a, /b c,, ' } }).config.project.roots).toEqual([
      '/a',
      '/b c',
    ]);
  });

  it.each([
    [
      { SIGNALBOX_HTTP_PORT: 'abc' },
      'The setting "http.port" (SIGNALBOX_HTTP_PORT) is wrong: it takes a whole number from 0 to 65535, not "abc".',
    ],
    [
      { SIGNALBOX_HTTP_PORT: '0x10' },
      'The setting "http.port" (SIGNALBOX_HTTP_PORT) is wrong: it takes a whole number from 0 to 65535, not "0x10".',
    ],
    [
      { SIGNALBOX_STATE_QUESTIONS: 'maybe' },
      'The setting "state.questions" (SIGNALBOX_STATE_QUESTIONS) is wrong: it takes true or false, not "maybe".',
    ],
    [
      { SIGNALBOX_LOG_LEVEL: 'loud' },
      'The setting "log.level" (SIGNALBOX_LOG_LEVEL) is wrong: it takes one of debug, info, warn, error.',
    ],
  ])('%j is refused', (env, message) => {
    expect(() => load({ env })).toThrow(refused('config_bad_value', message));
  });

  it('takes the alias for the lamp’s time, and the own name before it', () => {
    const alias = 'AGENT_SIGNAL_LIGHT_COMPLETED_TTL_SECONDS';
    const { config, origins } = load({ toml: 'state.timeouts.completed = 5', env: { [alias]: '7' } });
    expect(config.state.timeouts.completed).toBe(7);
    expect(origins.get('state.timeouts.completed')).toEqual({ source: 'environment', detail: alias });
    const both = load({ env: { [alias]: '7', SIGNALBOX_STATE_TIMEOUTS_COMPLETED: '8' } });
    expect(both.config.state.timeouts.completed).toBe(8);
  });
});

describe('the password of the other broker', () => {
  const CANARY = 'correct-horse';

  it.each([
    { toml: `broker.url = "mqtt://me:${CANARY}@broker"` },
    { env: { SIGNALBOX_BROKER_URL: `mqtt://me:${CANARY}@broker` } },
    { flags: [{ key: 'broker.url', flag: '--broker-url', value: `mqtts://:${CANARY}@broker` }] },
  ])('is refused in a URL: %j', (given) => {
    let thrown: unknown;
    try {
      load(given);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code: 'password_in_url' });
    expect(JSON.stringify(thrown) + String(thrown)).not.toContain(CANARY);
  });

  it('comes from its variable, and is shown to nobody', () => {
    const loaded = load({ env: { SIGNALBOX_BROKER_PASSWORD: CANARY } });
    expect(loaded.brokerPassword()).toBe(CANARY);
    const shown = effectiveSettings(loaded);
    expect(shown).toContainEqual({
      key: 'broker.password',
      value: '(set)',
      origin: { source: 'environment', detail: 'SIGNALBOX_BROKER_PASSWORD' },
    });
    expect(JSON.stringify([shown, loaded.config, [...loaded.origins], loaded.warnings])).not.toContain(
      CANARY,
    );
  });

  it('comes from its file, which a relative path of the configuration finds beside it', () => {
    const folder = temporaryFolder();
    const [file, secret] = [join(folder, 'config.toml'), join(folder, 'secret')];
    writeFileSync(file, 'broker.password_file = "secret"');
    writeFileSync(secret, `${CANARY}\nnot this\n`, { mode: 0o600 });
    const loaded = loadConfig({ file, env: {} });
    expect(loaded.brokerPassword()).toBe(CANARY);
    expect(loaded.warnings).toEqual([]);
    chmodSync(secret, 0o644);
    expect(loadConfig({ file, env: {} }).warnings).toEqual([
      expect.stringContaining('Others can read the password'),
    ]);
    expect(loadConfig({ file, env: { SIGNALBOX_BROKER_PASSWORD: 'first' } }).brokerPassword()).toBe('first');
  });

  it('is none when nothing is set', () => {
    const loaded = load({});
    expect(loaded.brokerPassword()).toBeUndefined();
    expect(effectiveSettings(loaded).some(({ key }) => key === 'broker.password')).toBe(false);
  });

  it.each([
    ['is not there', undefined, "can't be read (ENOENT)"],
    ['is empty', '\n', 'has no password in its first line'],
  ])('is told to be missing when its file %s', (_what, content, reason) => {
    const secret = join(temporaryFolder(), 'secret');
    if (content !== undefined) writeFileSync(secret, content, { mode: 0o600 });
    const loaded = load({ env: { SIGNALBOX_BROKER_PASSWORD_FILE: secret } });
    expect(() => loaded.brokerPassword()).toThrow(
      expect.objectContaining({ code: 'config_bad_value', message: expect.stringContaining(reason) }),
    );
  });
});

it('has no flag for what is no setting', () => {
  expect(() => load({ flags: [{ key: 'broker.colour', flag: '--colour', value: 'red' }] })).toThrow(
    RangeError,
  );
  expect(load({ flags: [{ key: 'prefix', flag: '--prefix', value: undefined }] }).config.prefix).toBe('');
  expect(load({ flags: [{ key: 'http.port', flag: '--port', value: '5000' }] }).config.http.port).toBe(5000);
  expect(load({ flags: [{ key: 'http.port', flag: '--port', value: 5001 }] }).config.http.port).toBe(5001);
});
