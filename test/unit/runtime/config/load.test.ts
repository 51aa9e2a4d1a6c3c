import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { effectiveSettings } from '../../../../runtime/config/effective.ts';
import { loadConfig } from '../../../../runtime/config/load.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { load, refused } from './load-settings.ts';

describe('the settings', () => {
  it('have their defaults when nothing is set', () => {
    expect(load({}).config).toEqual({
      prefix: '',
      host: 'desk',
      broker: { listen: '127.0.0.1', port: 1883, socket: true, url: '', username: '', password_file: '' },
      http: { listen: '127.0.0.1', port: 4787, hosts: [], token_file: '' },
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
      sources: {
        process: true,
        claude_sessions: true,
        claude_agents: true,
        claude_transcript: true,
        codex_rollout: true,
        copilot_events: true,
      },
      notify: {
        enabled: false,
        server: 'https://ntfy.sh',
        topic: 'claudeCodeWaitingOnYou',
        token_file: '',
        username: '',
        password_file: '',
        on: ['needs_user'],
        delay: 0,
        escalate_after: 0,
        presence: 5,
        language: 'en',
        click: '',
        quiet_hours: { from: '', to: '', let_through: 0 },
        priorities: {
          permission: 4,
          question: 4,
          plan_approval: 4,
          elicitation: 4,
          account: 4,
          notification: 3,
          possible_question: 2,
          dialog: 0,
          error: 3,
          done: 3,
        },
        providers: {},
        projects: {},
      },
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
      'The setting "log.level" (SIGNALBOX_LOG_LEVEL) is wrong: it takes one of debug, info, warn, error, silent.',
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
