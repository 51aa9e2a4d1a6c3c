import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProjectNames } from '../../../protocol/project-names.ts';

interface Step {
  readonly id: string;
  readonly cwd: string | undefined;
  readonly add: boolean;
}

const CWDS = ['/w/a/foo', '/w/b/foo', '/w/foo', '/w/bar', 'C:\\w\\foo', undefined];
const step: fc.Arbitrary<Step> = fc.record({
  id: fc.constantFrom('s1', 's2', 's3', 's4', 's5'),
  cwd: fc.constantFrom(...CWDS),
  add: fc.boolean(),
});

/** The name of a folder among those that live. */
function shown(cwd: string | undefined, id: string, live: ReadonlyMap<string, string | undefined>): string {
  if (cwd === undefined) return id;
  const parts = cwd.split(/[\\/]/);
  const last = parts.at(-1) as string;
  const places = new Set([...live.values()].filter((other) => other?.split(/[\\/]/).at(-1) === last));
  return places.size > 1 ? `${parts.at(-2)}/${last}` : last;
}

describe('ProjectNames', () => {
  it('equal names of several live folders get their parent, and every change of a name is told', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const names = new ProjectNames({ roots: [], names: {} });
        const live = new Map<string, string | undefined>();
        const told = new Map<string, string>();
        for (const { id, cwd, add } of steps) {
          let touched: readonly string[];
          if (add && !live.has(id)) {
            touched = names.add(id, cwd, id).touched;
            live.set(id, cwd);
            told.set(id, names.shown(id));
          } else if (!add) {
            touched = names.remove(id);
            live.delete(id);
            told.delete(id);
          } else continue;
          for (const other of touched) told.set(other, names.shown(other));
          expect(touched).not.toContain(id);
          for (const [other, place] of live) {
            expect(names.shown(other)).toBe(shown(place, other, live));
            expect(told.get(other)).toBe(names.shown(other));
          }
        }
      }),
    );
  });

  it('knows nothing of what does not live', () => {
    const names = new ProjectNames({ roots: [], names: {} });
    expect([names.shown('s1'), names.remove('s1')]).toEqual(['', []]);
  });
});
