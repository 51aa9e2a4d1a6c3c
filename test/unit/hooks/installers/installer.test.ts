import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SETTINGS_AGENTS } from '../../../../hooks/installers/agents.ts';
import { claude } from '../../../../hooks/installers/agents/claude.ts';
import { gemini } from '../../../../hooks/installers/agents/gemini.ts';
import { SENDER, installingMachine } from '../../../support/installing.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** Another's hooks, odd indentation, Windows line ends and a byte order mark. */
const ODD = `\uFEFF{\r
   "permissions": { "allow": ["Bash(echo:*)"] },\r
\t"hooks" : {"Stop":[{"hooks":[{"type":"command","command":"say done"}]}],\r
        "PreToolUse": [\r
          {\r
            "matcher": "Bash",\r
            "hooks": [ { "type": "command", "command": "/opt/guard --strict" } ]\r
          } ]\r
   },\r
   "env": {"A":"1"}\r
}\r
`;

const COMMENTED = `// My settings
{
    /* how it looks */
    "theme": "dark", // easier at night
    "hooks": {
        // speak when it is through
        "AfterAgent": [
            { "hooks": [{ "type": "command", "command": "say done" }] } // loud
        ]
        // nothing else
    }
}
`;

describe('an agent of each form', () => {
  it.each(SETTINGS_AGENTS.map((agent) => [agent.provider, agent] as const))(
    '%s: what was there is given back, byte for byte',
    (_, agent) => {
      const { install, uninstall, put, read } = installingMachine();
      const before = '{"hooks":{},\n "other": [1,\n2]}';
      put(agent, before);
      install(agent);
      const installed = read(agent);
      expect(installed).not.toBe(before);
      install(agent);
      expect(read(agent)).toBe(installed);
      uninstall(agent);
      expect(read(agent)).toBe(before);
    },
  );

  it.each(SETTINGS_AGENTS.map((agent) => [agent.provider, agent] as const))(
    '%s: a file that was not there is gone again',
    (_, agent) => {
      const { install, uninstall, fileOf } = installingMachine();
      install(agent);
      expect(JSON.parse(readFileSync(fileOf(agent), 'utf8'))).toHaveProperty('hooks');
      uninstall(agent);
      expect(existsSync(fileOf(agent))).toBe(false);
    },
  );

  it.each(SETTINGS_AGENTS.map((agent) => [agent.provider, agent] as const))(
    '%s: never registers WorktreeCreate',
    (_, agent) => {
      const events = agent.hooks(SENDER, '99.0.0').map(({ event }) => event);
      expect(events).not.toContain('WorktreeCreate');
      expect(new Set(events).size).toBe(events.length);
    },
  );
});

describe('what stands there stays', () => {
  it('odd indentation, CRLF, a byte order mark, hooks of others and of an older version of ours', () => {
    const home = temporaryFolder();
    const older = installingMachine(home, ['/home/me/.signalbox/bin/signalbox-hook', '--old']);
    older.put(claude, ODD);
    older.install(claude, '2.0.0');
    const { install, uninstall, read } = installingMachine(home);
    install(claude);
    const installed = read(claude);
    expect(installed).not.toContain('--old');
    expect(installed.startsWith('\uFEFF')).toBe(true);
    expect(installed.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    for (const kept of ['"command":"say done"', '"command": "/opt/guard --strict"', '"env": {"A":"1"}'])
      expect(installed).toContain(kept);
    install(claude);
    expect(read(claude)).toBe(installed);
    uninstall(claude);
    expect(read(claude)).toBe(ODD);
  });

  it('comments, where the agent allows them', () => {
    const { install, uninstall, put, read } = installingMachine();
    put(gemini, COMMENTED);
    install(gemini);
    const lines = read(gemini).split('\n');
    expect(lines).toContain(
      '            { "hooks": [{ "type": "command", "command": "say done" }] }, // loud',
    );
    for (const line of COMMENTED.split('\n').filter((text) => !text.includes('loud')))
      expect(lines.map((text) => text.replace(/,$/, ''))).toContain(line.replace(/,$/, ''));
    uninstall(gemini);
    expect(read(gemini)).toBe(COMMENTED);
  });

  it('what somebody has changed since', () => {
    const { install, uninstall, put, read } = installingMachine();
    put(claude, ODD);
    install(claude);
    put(claude, read(claude).replace('say done', 'say through').replace('"A":"1"', '"A":"2"'));
    uninstall(claude);
    expect(read(claude)).toBe(ODD.replace('say done', 'say through').replace('"A":"1"', '"A":"2"'));
  });

  it("the file's mode, and a link that it is", () => {
    const { home, install, uninstall, fileOf } = installingMachine();
    const target = join(home, 'dotfiles.json');
    writeFileSync(target, '{}');
    chmodSync(target, 0o640);
    mkdirSync(dirname(fileOf(claude)), { recursive: true });
    symlinkSync(target, fileOf(claude));
    install(claude);
    expect(lstatSync(fileOf(claude)).isSymbolicLink()).toBe(true);
    expect(statSync(target).mode & 0o777).toBe(0o640);
    expect(readFileSync(target, 'utf8')).toContain('signalbox-hook');
    uninstall(claude);
    expect(readFileSync(target, 'utf8')).toBe('{}');
  });
});

describe('what is not understood is left alone', () => {
  it.each([
    ['a trailing comma', claude, '{\n  "hooks": {},\n}\n', 3, 1],
    ['a comment where none may be', claude, '{\n  // why\n  "a": 1\n}', 2, 3],
    ['a trailing comma beside comments', gemini, '{ /* a */ "a": [1, 2,] }', 1, 22],
    ['half a file', claude, '{"hooks": {"Stop": [', 1, 21],
    ['a list', claude, '[]', 1, 1],
    ['hooks that are a text', claude, '{"hooks": "none"}', 1, 11],
    ['an event that is no list', claude, '{"hooks": {"Stop": {}}}', 1, 20],
    ['a key that stands twice', claude, '{"hooks": {},\n "hooks": {}}', 2, 2],
  ] as const)('%s', (_, agent, text, line, column) => {
    const { install, put, read } = installingMachine();
    put(agent, text);
    expect(() => install(agent)).toThrow(
      expect.objectContaining({
        code: 'settings_unreadable',
        params: expect.objectContaining({ line, column }),
      }),
    );
    expect(read(agent)).toBe(text);
  });

  it('bytes that are not UTF-8', () => {
    const { install, put, fileOf } = installingMachine();
    put(claude, '');
    writeFileSync(fileOf(claude), Buffer.from([0xff, 0xfe, 0x7b, 0x00]));
    expect(() => install(claude)).toThrow(expect.objectContaining({ code: 'settings_unreadable' }));
    expect(readFileSync(fileOf(claude))).toEqual(Buffer.from([0xff, 0xfe, 0x7b, 0x00]));
  });

  it('a file that somebody writes to between the question and the answer', () => {
    const { installer, put, read } = installingMachine();
    put(claude, '{}');
    const change = installer.planInstall(claude, undefined);
    put(claude, '{"model": "opus"}');
    expect(() => installer.install(change)).toThrow(expect.objectContaining({ code: 'settings_changed' }));
    expect(read(claude)).toBe('{"model": "opus"}');
  });
});

describe('an older Claude, which skips a file that names an event it does not know', () => {
  it.each([
    [undefined, 'StopFailure', false],
    ['2.1.77', 'StopFailure', false],
    ['2.1.78', 'StopFailure', true],
    ['2.2', 'PostToolBatch', true],
    ['2.1.109', 'PostToolBatch', false],
    ['3.0.0', 'PreModelSwitch', true],
  ] as const)('version %s, %s: %s', (version, event, expected) => {
    const events = claude.hooks(SENDER, version).map((hook) => hook.event);
    expect(events.includes(event)).toBe(expected);
  });
});

describe('a folder that was made for a file', () => {
  it.each(SETTINGS_AGENTS)(
    '$provider: goes with it, also after a second version has been installed',
    (agent) => {
      const { install, uninstall, fileOf, home } = installingMachine();
      const before = readdirSync(home);
      install(agent);
      install(agent, '1.0.0');
      uninstall(agent);
      expect(existsSync(dirname(fileOf(agent)))).toBe(false);
      expect(readdirSync(home)).toEqual([...before, 'records']);
    },
  );

  it('stays when it was there, and when something else has come into it', () => {
    const { install, uninstall, fileOf } = installingMachine();
    mkdirSync(dirname(fileOf(claude)));
    install(claude);
    uninstall(claude);
    expect(readdirSync(dirname(fileOf(claude)))).toEqual([]);

    install(gemini);
    writeFileSync(join(dirname(fileOf(gemini)), 'oauth.json'), '{}');
    uninstall(gemini);
    expect(readdirSync(dirname(fileOf(gemini)))).toEqual(['oauth.json']);
  });
});
