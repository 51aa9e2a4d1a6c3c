import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CanonicalEvent } from '../../../protocol/events.ts';
import type { Session } from '../../../protocol/session.ts';
import type { TableChanges } from '../../../protocol/table-changes.ts';
import { SessionTable } from '../../../protocol/table.ts';
import { HOUR, T0, tableOptions } from '../../support/driving.ts';
import { byKey, happening, runTo, story, tell } from '../../support/stories.ts';

function signals(table: SessionTable) {
  return {
    signals: table.providers().map((slug) => table.signal(slug)),
    lamp: table.lampAll(),
    line: table.line(),
  };
}

/** Sessions that do not meet: folders of their own, and no `SessionStart` of one clears another. */
const apart = fc.array(fc.tuple(fc.nat(2), happening), { maxLength: 30 }).map((steps) =>
  steps
    .filter(([, { event }]) => event.session_id !== undefined)
    .map(([who, { event, live, after }]) => ({
      who,
      live,
      after,
      event: {
        ...event,
        provider: 'claude',
        host: 'studio',
        session_id: `only-${who}`,
        cwd: `/w/only-${who}`,
      } as CanonicalEvent,
    })),
);

describe('sessions in folders of their own', () => {
  it('what is shown of them does not hang on the order in which they are heard', () => {
    fc.assert(
      fc.property(apart, fc.array(fc.nat(100), { minLength: 30, maxLength: 30 }), (steps, shuffle) => {
        // Each event has its own millisecond; in the second telling, those of one round are told in another order of sessions.
        let now = T0;
        const timed = steps.map((step, index) => ({
          ...step,
          at: (now += step.after),
          order: shuffle[index] ?? 0,
        }));
        const rounds = byMoment(timed);
        const first = new SessionTable(tableOptions());
        const second = new SessionTable(tableOptions());
        for (const [at, round] of rounds) {
          const others = reordered(round);
          for (const [table, order] of [
            [first, round],
            [second, others],
          ] as const) {
            runTo(table, at);
            for (const { event, live } of order) table.apply(event, { now: at, live });
          }
          expect(comparable(second)).toEqual(comparable(first));
        }
        runTo(first, now + HOUR);
        runTo(second, now + HOUR);
        expect(comparable(second)).toEqual(comparable(first));
      }),
    );
  });
});

function byMoment<T extends { readonly at: number }>(steps: readonly T[]): Map<number, T[]> {
  const moments = new Map<number, T[]>();
  for (const step of steps) moments.set(step.at, [...(moments.get(step.at) ?? []), step]);
  return moments;
}

/** The same events, those of one session in their order. */
function reordered<T extends { readonly who: number; readonly order: number }>(round: readonly T[]): T[] {
  const rank = new Map(round.map(({ who, order }) => [who, order]));
  return round.toSorted((a, b) => (rank.get(a.who) ?? 0) - (rank.get(b.who) ?? 0) || a.who - b.who);
}

/** All that is shown, and the sessions in an order that says nothing. */
function comparable(table: SessionTable) {
  return { ...signals(table), sessions: [...table.sessions()].toSorted(byKey) };
}

/** What a hub would have stored: the last of everything that was told. */
function stored(changes: readonly TableChanges[]) {
  const sessions = new Map<string, Session | undefined>();
  const providers = new Map<string, unknown>();
  for (const change of changes) {
    for (const [id, session] of change.sessions) sessions.set(id, session);
    for (const [slug, record] of change.providers) providers.set(slug, record);
  }
  const plain = {
    sessions: [...sessions.values()].filter((one) => one !== undefined),
    providers: [...providers.values()],
  };
  return JSON.parse(JSON.stringify(plain)) as Parameters<SessionTable['restore']>[0];
}

describe('a restart', () => {
  it('shows the same, and has the same future', () => {
    fc.assert(
      fc.property(story, story, (past, future) => {
        const table = new SessionTable(tableOptions());
        const changes: TableChanges[] = [];
        const now = tell(table, past, () => changes.push(table.takeChanges()));
        const again = new SessionTable(tableOptions());
        again.restore(stored(changes), now);
        again.advance(now);
        expect(signals(again)).toEqual(signals(table));

        const shown: unknown[] = [];
        tell(table, future, () => shown.push(signals(table)), now);
        tell(again, future, () => expect(signals(again)).toEqual(shown.shift()), now);
        expect(shown).toEqual([]);
      }),
    );
  });
});
