import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CanonicalEvent } from '../../../protocol/events.ts';
import { RecentEvents } from '../../../protocol/recent-events.ts';

const WINDOW = 1_000;

interface Arrival {
  readonly provider: string;
  readonly id: string | undefined;
  readonly fingerprint: string | undefined;
  readonly after: number;
}

function eventOf({ provider, id }: Pick<Arrival, 'provider' | 'id'>): CanonicalEvent {
  return { v: 1, event: 'Stop', provider, ...(id !== undefined && { id }) };
}

const arrival: fc.Arbitrary<Arrival> = fc.record({
  provider: fc.constantFrom('claude', 'codex'),
  id: fc.constantFrom(undefined, 'e1', 'e2', 'e3'),
  fingerprint: fc.constantFrom(undefined, 'f1', 'f2'),
  after: fc.constantFrom(0, 1, 400, 999, 1_000, 1_001, 5_000),
});

describe('RecentEvents', () => {
  it('knows an id for good, and the same bytes for a window', () => {
    fc.assert(
      fc.property(fc.array(arrival, { maxLength: 40 }), (arrivals) => {
        const recent = new RecentEvents(WINDOW);
        const ids = new Set<string>();
        const prints = new Map<string, number>();
        let now = 0;
        for (const { provider, id, fingerprint, after } of arrivals) {
          now += after;
          const print = `${provider} ${fingerprint}`;
          const known =
            (id !== undefined && ids.has(`${provider} ${id}`)) ||
            (fingerprint !== undefined && now - (prints.get(print) ?? -Infinity) < WINDOW);
          const received = { now, live: true, ...(fingerprint !== undefined && { fingerprint }) };
          expect(recent.seen(eventOf({ provider, id }), received)).toBe(known);
          if (known) continue;
          if (id !== undefined) ids.add(`${provider} ${id}`);
          if (fingerprint !== undefined) prints.set(print, now);
        }
      }),
    );
  });

  it('forgets the oldest of 10,000 ids', () => {
    const recent = new RecentEvents(WINDOW);
    const seen = (id: string) => recent.seen(eventOf({ provider: 'claude', id }), { now: 0, live: true });
    for (let index = 0; index <= 10_000; index++) expect(seen(`e${index}`)).toBe(false);
    expect(seen('e1')).toBe(true);
    expect(seen('e0')).toBe(false);
  });

  it('a clock that was set back hides nothing', () => {
    const recent = new RecentEvents(WINDOW);
    const at = (now: number) =>
      recent.seen(eventOf({ provider: 'claude', id: undefined }), { now, live: true, fingerprint: 'f' });
    expect([at(90_000), at(10), at(20), at(1_010)]).toEqual([false, false, true, false]);
  });

  it('takes back what was not kept', () => {
    const recent = new RecentEvents(WINDOW);
    const event = eventOf({ provider: 'claude', id: 'e1' });
    const received = { now: 0, live: true, fingerprint: 'f' };
    recent.seen(event, received);
    recent.forget(event, 'f');
    expect(recent.seen(event, received)).toBe(false);
  });
});
