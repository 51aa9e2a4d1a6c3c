import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRaised } from '../../../protocol/derive.ts';
import type { CanonicalEvent } from '../../../protocol/events.ts';
import { foldIn, type Folded, NEW_TRACK } from '../../../protocol/fold.ts';

import { eventInput, type SessionFacts } from '../../../protocol/session.ts';
import type { LoggedStep, StoredTable } from '../../../protocol/table-changes.ts';
import { SessionTable } from '../../../protocol/table.ts';
import { MINUTE, SECOND, T0, tableOptions } from '../../support/driving.ts';
import { anyHook, byKey, happening, PROVIDERS, runTo, story, tell } from '../../support/stories.ts';

const RULES = tableOptions().rules;

/** One session's event, some time under way. */
const hook = fc
  .tuple(anyHook, fc.integer({ min: 0, max: 20 * SECOND }), fc.integer({ min: 0, max: 2 * SECOND }))
  .map(([event, ago, after]) => {
    const { notify: _notify, ...rest } = event;
    return { event: { ...rest, provider: 'claude', session_id: 's1', host: 'studio' }, ago, after };
  });
type Step = { readonly event: CanonicalEvent; readonly ago: number; readonly after: number } | 'ack';
const steps = fc.array(
  fc.oneof({ weight: 5, arbitrary: hook }, { weight: 1, arbitrary: fc.constant('ack' as const) }),
  { maxLength: 30 },
);

function allAlerts(table: SessionTable): number[] {
  return PROVIDERS.map((slug) => table.signal(slug).alert);
}

describe('ack', () => {
  it('whatever comes late: what was open and seen stays known as long as it is the same request', () => {
    fc.assert(
      fc.property(fc.array(hook, { maxLength: 20 }), fc.array(hook, { maxLength: 10 }), (before, after) => {
        let now = T0;
        let folded: Folded = { facts: undefined, track: NEW_TRACK, late: false, refolded: false };
        const take = (one: (typeof before)[number]): void => {
          now += one.after;
          const input = eventInput({ ...one.event, sent_at: now - one.ago }, now);
          folded = foldIn(folded.track, folded.facts, input, RULES);
        };
        for (const one of before) take(one);
        const said = now;
        const raised = (at: number) =>
          folded.facts?.gone === true
            ? []
            : (folded.facts?.attentions ?? []).filter((each) =>
                isRaised(each, folded.facts as SessionFacts, at),
              );
        const seen = new Set(raised(said).map(({ id }) => id));
        folded = foldIn(folded.track, folded.facts, { ack: { by: 'local' }, arrival: said }, RULES);
        expect(raised(said)).toEqual([]);
        for (const one of after) {
          now += 1;
          take(one);
          expect(raised(now).filter(({ id }) => seen.has(id))).toEqual([]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('a restart has the same future', () => {
    function play(table: SessionTable, given: readonly Step[], from: number, log: LoggedStep[]): number {
      let now = from;
      for (const step of given) {
        if (step === 'ack') {
          runTo(table, now);
          const done = table.acknowledge([...table.sessions()], 'local', now);
          if (done.length > 0) log.push({ ack: { by: 'local' }, arrival: now });
          continue;
        }
        now += step.after;
        runTo(table, now);
        const event = step.ago % 3 === 0 ? step.event : { ...step.event, sent_at: now - step.ago };
        table.apply(event, { now, live: true });
        log.push({ event, arrival: now });
      }
      return now;
    }
    // When it was last found to run depends on how often that was looked at.
    const shown = (table: SessionTable) =>
      [...table.sessions()]
        .toSorted(byKey)
        .map((session) => JSON.parse(JSON.stringify({ ...session, last_running_at: undefined })) as unknown);
    fc.assert(
      fc.property(steps, steps, (past, future) => {
        const table = new SessionTable(tableOptions());
        const log: LoggedStep[] = [];
        const now = play(table, past, T0, log);
        fc.pre(table.size === 1);
        const { sessions, providers } = table.everything();
        const plain = { sessions: [...sessions.values()], providers: [...providers.values()] };
        const stored = JSON.parse(JSON.stringify(plain)) as StoredTable;
        const again = new SessionTable(tableOptions());
        again.restore({ ...stored, recent: new Map([...sessions.keys()].map((id) => [id, log])) }, now);
        again.advance(now);
        expect(shown(again)).toEqual(shown(table));
        const end = play(table, future, now, []);
        play(again, future, now, []);
        for (const one of [table, again]) runTo(one, end + 5 * SECOND);
        expect(shown(again)).toEqual(shown(table));
        expect(again.signal('claude')).toEqual(table.signal('claude'));
      }),
      { numRuns: 200 },
    );
  });
});

describe('pause', () => {
  it('never lets an alert grow, and no lamp shows anything else', () => {
    fc.assert(
      fc.property(
        story,
        story,
        fc.option(fc.constantFrom(1, 7, 90), { nil: undefined }),
        (before, meanwhile, minutes) => {
          const table = new SessionTable(tableOptions());
          const now = tell(table, before);
          const until = minutes === undefined ? undefined : now + minutes * MINUTE;
          table.pause('all', until, 'local', now);
          const alerts = allAlerts(table);
          let quiet = true;
          tell(
            table,
            meanwhile,
            (at) => {
              quiet &&= until === undefined || at < until;
              if (!quiet) return;
              expect(allAlerts(table)).toEqual(alerts);
              expect(table.lampAll()).toBe('paused');
              for (const slug of table.providers()) expect(table.signal(slug).lamp).toBe('paused');
              for (const session of table.sessions()) expect(table.lampOf(session)).toBe('paused');
            },
            now,
          );
        },
      ),
    );
  });

  it('changes no state, and what waits at its end never alerts for that', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 30 }), (steps_) => {
        const paused = new SessionTable(tableOptions());
        const free = new SessionTable(tableOptions());
        paused.pause('all', undefined, 'local', T0);
        const end = tell(paused, steps_);
        tell(free, steps_);
        const states = (table: SessionTable) =>
          [...table.sessions()]
            .toSorted(byKey)
            .map(({ key, state, reason, lamp }) => [key, state, reason, lamp]);
        expect(states(paused)).toEqual(states(free));
        runTo(free, end + 1);
        paused.resume('all', end + 1);
        for (const slug of PROVIDERS) expect(paused.lamp(slug)).toBe(free.lamp(slug));
        paused.drained(end + 1);
        runTo(paused, end + 10 * MINUTE);
        expect(allAlerts(paused)).toEqual(PROVIDERS.map(() => 0));
      }),
    );
  });
});
