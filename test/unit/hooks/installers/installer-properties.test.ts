import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claude } from '../../../../hooks/installers/agents/claude.ts';
import { gemini } from '../../../../hooks/installers/agents/gemini.ts';
import { InstalledRecords } from '../../../../hooks/installers/installed.ts';
import { installingMachine } from '../../../support/installing.ts';

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
          const { install, uninstall, put, read } = installingMachine();
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
        const { home, install, uninstall, put, read } = installingMachine();
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
