import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CanonicalEvent } from '../../../protocol/events.ts';
import { foldIn, NEW_TRACK } from '../../../protocol/fold.ts';
import { reduce } from '../../../protocol/reduce.ts';
import { eventInput, type SessionFacts } from '../../../protocol/session.ts';
import { SessionTable } from '../../../protocol/table.ts';
import { SECOND, T0, tableOptions } from '../../support/driving.ts';
import { anyHook, runTo } from '../../support/stories.ts';

/** When the first of them arrives; all happened within the 25 s before. */
const ARRIVE = T0 + 25 * SECOND;
const RULES = tableOptions().rules;

/** One session's event with the sender's time; a person is there (a request that has to prove itself counts from its arrival). */
const stamped = fc
  .tuple(anyHook, fc.integer({ min: 0, max: 25 * SECOND - 1 }))
  .map(([event, moment]): CanonicalEvent => {
    const { entrypoint: _headless, notify: _notify, ...rest } = event;
    return { ...rest, provider: 'claude', session_id: 's1', host: 'studio', sent_at: T0 + moment };
  });

/** Events of different moments, in the order of arrival: any. */
const arrivals = fc.uniqueArray(stamped, { maxLength: 40, selector: (event) => event.sent_at });

function inOrder(events: readonly CanonicalEvent[]): CanonicalEvent[] {
  return events.toSorted((a, b) => Number(a.sent_at) - Number(b.sent_at));
}

/** What the moments alone decide: no time of arrival. */
function told(facts: SessionFacts | undefined) {
  if (facts === undefined) return undefined;
  const { attentions, turn, queued, compact, open_tools, agents, background, latch, cwd, permission_mode } =
    facts;
  return {
    attentions: attentions.map(({ opened_at: _at, evidence: { at: _seen, ...evidence }, ...open }) => ({
      ...open,
      evidence,
    })),
    turn: { ...turn, end_seen_at: undefined },
    open_tools: open_tools.map(({ at: _at, ...open }) => open),
    ...{ queued, compact, agents, background, latch, cwd, permission_mode },
  };
}

function play(events: readonly CanonicalEvent[]) {
  const table = new SessionTable(tableOptions());
  let now = ARRIVE;
  for (const event of events) {
    runTo(table, now);
    table.apply(event, { now, live: true });
    now += 100;
  }
  runTo(table, ARRIVE + 10 * SECOND);
  const [session] = table.sessions();
  return { shown: session && [session.state, session.reason, session.lamp], told: told(session) };
}

describe('rule 6: a session is the fold of its events in the order of their moments', () => {
  it('whatever the order of their arrival', () => {
    fc.assert(
      fc.property(arrivals, (events) => {
        expect(play(events)).toEqual(play(inOrder(events)));
      }),
      { numRuns: 300 },
    );
  });

  it('and the table holds that fold', () => {
    fc.assert(
      fc.property(arrivals, (events) => {
        let facts: SessionFacts | undefined;
        for (const event of inOrder(events)) facts = reduce(facts, eventInput(event, ARRIVE), RULES);
        expect(play(events).told).toEqual(told(facts));
      }),
      { numRuns: 300 },
    );
  });

  it('a step at a time, the fold is right after each', () => {
    fc.assert(
      fc.property(arrivals, (events) => {
        let track = NEW_TRACK;
        let facts: SessionFacts | undefined;
        for (const [index, event] of events.entries()) {
          const input = eventInput(event, ARRIVE + index);
          const before = { track, facts };
          const folded = foldIn(track, facts, input, RULES);
          // Pure: the same again, and what was given is left alone.
          expect(foldIn(before.track, before.facts, input, RULES)).toEqual(folded);
          expect(folded.late).toBe(false);
          ({ track, facts } = folded);
          let expected: SessionFacts | undefined;
          for (const known of inOrder(events.slice(0, index + 1)))
            expected = reduce(expected, eventInput(known, ARRIVE), RULES);
          expect(told(facts)).toEqual(told(expected));
        }
      }),
      { numRuns: 60 },
    );
  });
});
