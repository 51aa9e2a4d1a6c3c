import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { derive } from '../../../protocol/derive.ts';
import { isCanonicalEvent } from '../../../protocol/event-fields.ts';
import { DEFAULT_TIMEOUTS } from '../../../protocol/expiry.ts';
import { fitLine, linePayload } from '../../../protocol/messages/line.ts';
import { encodeSignal, signalPayload } from '../../../protocol/messages/signal.ts';
import type { Session } from '../../../protocol/session.ts';
import { SessionTable } from '../../../protocol/table.ts';
import { HOUR, MINUTE, tableOptions } from '../../support/driving.ts';
import { anyHook, byKey, PROVIDERS, runTo, story, tell } from '../../support/stories.ts';

describe('any sequence of any events', () => {
  it('the generator makes canonical events', () => {
    fc.assert(
      fc.property(anyHook, (event) => {
        expect(isCanonicalEvent(event)).toBe(true);
      }),
    );
  });

  it('never throws, leaves nothing whose time is over, and every deadline lies ahead', () => {
    fc.assert(
      fc.property(story, (steps) => {
        const table = new SessionTable(tableOptions());
        tell(table, steps, (now) => {
          expect(table.nextDeadline() ?? Infinity).toBeGreaterThan(now);
          for (const session of table.sessions()) {
            // What is shown is what the record means at this moment.
            const { state, reason, lamp, removed } = derive(session, now, DEFAULT_TIMEOUTS);
            expect({ removed, state, reason, lamp }).toEqual({
              removed: false,
              state: session.state,
              reason: session.reason,
              lamp: session.lamp,
            });
            expect(now - session.updated_at).toBeLessThan(oldest(session));
          }
        });
      }),
    );
  });

  it('all is gone in the end, and nothing is left to do', () => {
    fc.assert(
      fc.property(story, (steps) => {
        const table = new SessionTable(tableOptions());
        const now = tell(table, steps);
        runTo(table, now + 26 * HOUR);
        expect([...table.sessions()]).toEqual([]);
        expect(table.nextDeadline()).toBeUndefined();
        for (const slug of table.providers())
          expect(table.signal(slug).attention).toMatchObject({ state: 'idle', count: 0 });
      }),
    );
  });

  it('`alert` never falls', () => {
    fc.assert(
      fc.property(story, (steps) => {
        const table = new SessionTable(tableOptions());
        let before = PROVIDERS.map(() => 0);
        tell(table, steps, () => {
          const alerts = PROVIDERS.map((slug) => table.signal(slug).alert);
          alerts.forEach((alert, index) => expect(alert).toBeGreaterThanOrEqual(before[index] ?? 0));
          before = alerts;
        });
      }),
    );
  });

  it('what is not live never alerts', () => {
    fc.assert(
      fc.property(story, (steps) => {
        const table = new SessionTable(tableOptions());
        tell(
          table,
          steps.map((step) => ({ ...step, live: false })),
        );
        for (const slug of PROVIDERS) expect(table.signal(slug).alert).toBe(0);
      }),
    );
  });

  it('every signal and every line is what the bus promises', () => {
    fc.assert(
      fc.property(story, (steps) => {
        const table = new SessionTable(tableOptions());
        tell(table, steps, () => {
          for (const slug of table.providers()) {
            const signal = table.signal(slug);
            expect(signalPayload.safeParse(signal).error).toBeUndefined();
            expect(Buffer.byteLength(encodeSignal(signal))).toBeLessThanOrEqual(512);
            expect(signal.lamp).toBe(table.lamp(slug));
          }
          const { before, name, after } = table.line();
          expect(linePayload.safeParse(fitLine(before, name, after)).error).toBeUndefined();
        });
      }),
    );
  });

  it('what changed is told: whoever keeps what is told has the table', () => {
    fc.assert(
      fc.property(story, (steps) => {
        const table = new SessionTable(tableOptions());
        const kept = new Map<string, Session>();
        const shown = new Map<string, unknown>();
        tell(table, steps, () => {
          const changes = table.takeChanges();
          for (const [id, session] of changes.sessions) {
            if (session === undefined) kept.delete(id);
            else kept.set(id, session);
          }
          expect([...kept.values()].toSorted(byKey)).toEqual([...table.sessions()].toSorted(byKey));
          for (const slug of changes.providers.keys()) shown.set(slug, table.signal(slug));
          for (const [slug, signal] of shown) expect(signal).toEqual(table.signal(slug));
        });
      }),
    );
  });
});

/** How old a record can be at the very most in a state (section 5): running is held at most 2 h by a tool, which may be as old as its turn. */
function oldest(session: Session): number {
  const limits = {
    needs_user: HOUR,
    error: 30 * MINUTE,
    done: 5 * MINUTE,
    idle: 5 * MINUTE,
    running: 2 * HOUR,
    unknown: 2 * HOUR + 20 * MINUTE,
  };
  if (session.state === 'idle' && session.reason === 'scheduled') return 24 * HOUR;
  if (session.state === 'running' && session.open_tools.length === 0) return 10 * MINUTE;
  if (session.state === 'unknown' && session.open_tools.length === 0) return 30 * MINUTE;
  return limits[session.state];
}
