import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Ranked } from '../../../protocol/ranked.ts';
import { ATTENTION_STATES, type AttentionState } from '../../../protocol/states.ts';

type Step = { id: string; state: AttentionState | undefined; at: number };

/** A list that is sorted anew at every question. */
class Model {
  readonly #placed = new Map<string, { state: AttentionState; at: number }>();

  apply({ id, state, at }: Step): void {
    if (state === undefined) this.#placed.delete(id);
    else this.#placed.set(id, { state, at });
  }

  newest(state: AttentionState): string[] {
    return [...this.#placed]
      .filter(([, entry]) => entry.state === state)
      .toSorted(([a, left], [b, right]) => right.at - left.at || (a < b ? -1 : 1))
      .map(([id]) => id);
  }

  best() {
    const state = ATTENTION_STATES.find((one) => this.newest(one).length > 0);
    if (state === undefined) return undefined;
    const id = this.newest(state)[0] as string;
    return { state, id, at: this.#placed.get(id)?.at };
  }

  get size(): number {
    return this.#placed.size;
  }
}

const step: fc.Arbitrary<Step> = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  state: fc.option(fc.constantFrom(...ATTENTION_STATES), {
    nil: undefined,
    freq: 4,
  }),
  at: fc.integer({ min: 0, max: 5 }),
});

describe('Ranked', () => {
  it('is a list that is always sorted', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const ranked = new Ranked();
        const model = new Model();
        for (const one of steps) {
          if (one.state === undefined) ranked.remove(one.id);
          else ranked.place(one.id, one.state, one.at);
          model.apply(one);
          for (const state of ATTENTION_STATES) {
            expect([...ranked.newest(state)]).toEqual(model.newest(state));
            expect(ranked.count(state)).toBe(model.newest(state).length);
          }
          expect(ranked.best()).toEqual(model.best());
          expect(ranked.size).toBe(model.size);
        }
      }),
    );
  });
});
