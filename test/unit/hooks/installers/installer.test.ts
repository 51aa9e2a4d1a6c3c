import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentHooks } from '../../../../hooks/installers/agent-hooks.ts';
import { AGENTS } from '../../../../hooks/installers/agents.ts';
import { claude } from '../../../../hooks/installers/agents/claude.ts';
import { gemini } from '../../../../hooks/installers/agents/gemini.ts';
import { InstalledRecords } from '../../../../hooks/installers/installed.ts';
import { Installer } from '../../../../hooks/installers/installer.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const SENDER = { program: ['/home/me/.local/share/signalbox/bin/signalbox-hook'] } as const;

function machine(home = temporaryFolder(), sender: readonly [string, ...string[]] = SENDER.program) {
  const at = { env: {}, platform: 'linux', home } as const;
  const records = new InstalledRecords(join(home, 'records'));
  const installer = new Installer({ machine: at, sender: { program: sender }, records });
  const fileOf = (agent: AgentHooks): string => agent.file(at);
  return {
    home,
    installer,
    fileOf,
    put(agent: AgentHooks, text: string): void {
      mkdirSync(dirname(fileOf(agent)), { recursive: true });
      writeFileSync(fileOf(agent), text);
    },
    read: (agent: AgentHooks): string => readFileSync(fileOf(agent), 'utf8'),
    install(agent: AgentHooks, version = '2.1.332'): void {
      installer.install(installer.planInstall(agent, version));
    },
    uninstall(agent: AgentHooks): void {
      installer.uninstall(installer.planUninstall(agent));
    },
  };
}

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
  it.each(AGENTS.map((agent) => [agent.provider, agent] as const))(
    '%s: what was there is given back, byte for byte',
    (_, agent) => {
      const { install, uninstall, put, read } = machine();
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

  it.each(AGENTS.map((agent) => [agent.provider, agent] as const))(
    '%s: a file that was not there is gone again',
    (_, agent) => {
      const { install, uninstall, fileOf } = machine();
      install(agent);
      expect(JSON.parse(readFileSync(fileOf(agent), 'utf8'))).toHaveProperty('hooks');
      uninstall(agent);
      expect(existsSync(fileOf(agent))).toBe(false);
    },
  );

  it.each(AGENTS.map((agent) => [agent.provider, agent] as const))(
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
    const older = machine(home, ['/home/me/.signalbox/bin/signalbox-hook', '--old']);
    older.put(claude, ODD);
    older.install(claude, '2.0.0');
    const { install, uninstall, read } = machine(home);
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
    const { install, uninstall, put, read } = machine();
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
    const { install, uninstall, put, read } = machine();
    put(claude, ODD);
    install(claude);
    put(claude, read(claude).replace('say done', 'say through').replace('"A":"1"', '"A":"2"'));
    uninstall(claude);
    expect(read(claude)).toBe(ODD.replace('say done', 'say through').replace('"A":"1"', '"A":"2"'));
  });

  it("the file's mode, and a link that it is", () => {
    const { home, install, uninstall, fileOf } = machine();
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
    const { install, put, read } = machine();
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
    const { install, put, fileOf } = machine();
    put(claude, '');
    writeFileSync(fileOf(claude), Buffer.from([0xff, 0xfe, 0x7b, 0x00]));
    expect(() => install(claude)).toThrow(expect.objectContaining({ code: 'settings_unreadable' }));
    expect(readFileSync(fileOf(claude))).toEqual(Buffer.from([0xff, 0xfe, 0x7b, 0x00]));
  });

  it('a file that somebody writes to between the question and the answer', () => {
    const { installer, put, read } = machine();
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

const word = fc.string({ maxLength: 6 });
const foreignHandler = fc.record({
  type: fc.constant('command'),
  command: word.map((text) => `other ${text}`),
});
const foreignGroup = fc.record({ matcher: word, hooks: fc.array(foreignHandler, { maxLength: 2 }) });
const settings = fc.record(
  {
    permissions: fc.jsonValue(),
    hooks: fc.dictionary(
      fc.constantFrom('Stop', 'PreToolUse', 'SessionStart', 'AfterAgent', 'Other'),
      fc.array(foreignGroup, { maxLength: 2 }),
    ),
    'odd "key"\n': fc.jsonValue(),
  },
  { requiredKeys: [] },
);
const layout = fc.constantFrom<string | number>(0, 1, 2, 3, 4, '\t');
const lineEnd = fc.constantFrom('\n', '\r\n');
const mark = fc.constantFrom('', '\uFEFF');

/** The hooks without those of an agent's own sender. */
function foreign(text: string): unknown {
  return JSON.parse(text.replace(/^\uFEFF/, ''), (_, value: unknown) =>
    Array.isArray(value) ? value.filter((each) => !JSON.stringify(each).includes('signalbox-hook')) : value,
  );
}

describe('for every settings file', () => {
  it('installing twice is installing once, others stay, and uninstalling gives the bytes back', () => {
    fc.assert(
      fc.property(
        settings,
        layout,
        lineEnd,
        mark,
        fc.constantFrom(claude, gemini),
        (value, indent, eol, bom, agent) => {
          const { install, uninstall, put, read } = machine();
          const before = bom + JSON.stringify(value, undefined, indent).replaceAll('\n', eol);
          put(agent, before);
          install(agent);
          const installed = read(agent);
          const { hooks, ...others } = foreign(installed) as { hooks: Record<string, unknown[]> };
          const { hooks: hadHooks = {}, ...hadOthers } = structuredClone(value) as {
            hooks?: Record<string, unknown[]>;
          };
          expect(others).toEqual(foreign(JSON.stringify(hadOthers)));
          for (const [event, groups] of Object.entries(hadHooks))
            expect(hooks[event]?.slice(0, groups.length)).toEqual(groups);
          install(agent);
          expect(read(agent)).toBe(installed);
          uninstall(agent);
          expect(read(agent)).toBe(before);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('without what was kept, uninstalling takes out ours and nothing else', () => {
    fc.assert(
      fc.property(settings, layout, lineEnd, (value, indent, eol) => {
        const { home, install, uninstall, put, read } = machine();
        put(claude, JSON.stringify(value, undefined, indent).replaceAll('\n', eol));
        install(claude);
        new InstalledRecords(join(home, 'records')).forget('claude');
        uninstall(claude);
        expect(withoutEmpty(JSON.parse(read(claude)))).toEqual(
          withoutEmpty(JSON.parse(JSON.stringify(value))),
        );
      }),
      { numRuns: 60 },
    );
  });
});

/** Lists and objects for hooks that hold nothing say nothing. */
function withoutEmpty({ hooks = {}, ...others }: { hooks?: Record<string, unknown[]> }): unknown {
  const full = Object.entries(hooks).filter(([, groups]) => groups.length > 0);
  return { ...others, ...(full.length > 0 && { hooks: Object.fromEntries(full) }) };
}
