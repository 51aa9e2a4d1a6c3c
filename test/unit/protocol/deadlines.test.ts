import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Deadlines } from '../../../protocol/deadlines.ts';

type Step = { do: 'set' | 'delete' | 'take' | 'shift'; id: number; at: number };

const step: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom('set', 'set', 'set', 'delete', 'take', 'shift'),
  id: fc.nat(9),
  at: fc.nat(40),
});

describe('Deadlines', () => {
  it('gives each id at its last deadline, the earliest first, once', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
        const deadlines = new Deadlines();
        const model = new Map<string, number>();
        const earliest = () => (model.size === 0 ? undefined : Math.min(...model.values()));
        for (const one of steps) {
          const id = `s${one.id}`;
          let due: [given?: number | undefined, wanted?: number | undefined] = [];
          if (one.do === 'set') {
            deadlines.set(id, one.at);
            model.set(id, one.at);
          } else if (one.do === 'delete') {
            deadlines.delete(id);
            model.delete(id);
          } else if (one.do === 'shift') {
            deadlines.shift(one.at - 20);
            for (const [key, at] of model) model.set(key, at + one.at - 20);
          } else {
            const first = earliest() ?? Infinity;
            const taken = deadlines.take(one.at);
            due = [model.get(taken ?? ''), first > one.at ? undefined : first];
            if (taken !== undefined) model.delete(taken);
          }
          expect(due[0]).toBe(due[1]);
          expect(deadlines.next()).toBe(earliest());
        }
        const left: number[] = [];
        for (let id = deadlines.take(Infinity); id !== undefined; id = deadlines.take(Infinity)) {
          left.push(model.get(id) as number);
          model.delete(id);
        }
        expect(left).toEqual(left.toSorted((a, b) => a - b));
        expect(model.size).toBe(0);
      }),
    );
  });

  it('one id that is set again and again leaves one', () => {
    const deadlines = new Deadlines();
    for (let at = 1000; at > 0; at--) deadlines.set('a', at);
    expect(deadlines.take(Infinity)).toBe('a');
    expect(deadlines.take(Infinity)).toBeUndefined();
  });
});
