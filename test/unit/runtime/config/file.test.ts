import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../../runtime/config/load.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { load, refused } from './load-settings.ts';

describe('the file', () => {
  it.each([
    ['prot = 1', 'prot', 'broker.port', 1],
    ['[broker]\nprot = 1', 'broker.prot', 'broker.port', 2],
    ['[broker]\n\n# c\n  pasword = "x"', 'broker.pasword', 'broker.password_file', 4],
    ['[state.timeouts]\nneedsuser = 1', 'state.timeouts.needsuser', 'state.timeouts.needs_user', 2],
    ['state.timeouts.running_ = 1', 'state.timeouts.running_', 'state.timeouts.running', 1],
    ['[htp]\nport = 1', 'htp', 'http', 1],
    ['[providers.aider]\nnam = "Aider"', 'providers.aider.nam', 'providers.aider.name', undefined],
    [
      '[notify.projects.shop]\ntopc = "x"',
      'notify.projects.shop.topc',
      'notify.projects.shop.topic',
      undefined,
    ],
    [
      '[notify.providers.codex]\nenable = false',
      'notify.providers.codex.enable',
      'notify.providers.codex.enabled',
      undefined,
    ],
    ['[notify]\ntoken = "tk_x"', 'notify.token', 'notify.token_file', 2],
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
    [
      'notify.on = ["needs_user", "all"]',
      'The setting "notify.on" (FILE, line 1) is wrong: it takes a list of needs_user, error, done, not ["needs_user","all"].',
    ],
    [
      'notify.server = "ftp://x"',
      'The setting "notify.server" (FILE, line 1) is wrong: it takes an address such as https://ntfy.sh, without user name and password.',
    ],
    [
      'notify.server = "https://me:pw@ntfy.sh"',
      'The setting "notify.server" (FILE, line 1) is wrong: it takes an address such as https://ntfy.sh, without user name and password.',
    ],
    [
      'notify.topic = "v1"',
      `The setting "notify.topic" (FILE, line 1) is wrong: it takes 1 to 64 of A-Z, a-z, 0-9, _ and -, and none of the server's own words, such as docs.`,
    ],
    [
      'notify.priorities.done = 6',
      'The setting "notify.priorities.done" (FILE, line 1) is wrong: it takes a whole number from 0 to 5, not 6.',
    ],
    [
      'notify.quiet_hours.from = "22:00"',
      'The setting "notify.quiet_hours.from" (FILE, line 1) is wrong: it takes notify.quiet_hours.to beside it.',
    ],
    [
      'notify.quiet_hours.to = "7:00"',
      'The setting "notify.quiet_hours.to" (FILE, line 1) is wrong: it takes a time of day such as 22:30, or nothing.',
    ],
    [
      '[notify.projects.shop]\npriority = 9',
      'The setting "notify.projects.shop.priority" (FILE, line 1) is wrong: it takes a whole number from 1 to 5.',
    ],
    [
      '[notify.providers.ALL]\nenabled = false',
      'The setting "notify.providers.ALL" (FILE, line 1) is wrong: a name in it takes 1 to 32 of a-z, 0-9, _ and -, and not "all".',
    ],
    [
      'notify.projects.shop = 5',
      'The setting "notify.projects.shop" (FILE, line 1) is wrong: it takes a table.',
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
