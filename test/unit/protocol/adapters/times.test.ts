import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { adapt, type Adapted } from '../../../../protocol/adapters/adapt.ts';
import { CONTEXT, fixture, fixtureNames, RECEIVED } from '../../../support/adapting.ts';

const AGENTS = readdirSync(new URL('../../../fixtures/payloads/', import.meta.url)).filter(
  (folder) => CONTEXT.registry.find(folder) !== undefined,
);
const LONG_AGO = Date.UTC(2024, 0, 1);
/** Every name that an agent or a sender has for a time, in each form. */
const TIMES = [LONG_AGO, new Date(LONG_AGO).toISOString()].map((time) => ({
  ...{ sent_at: time, timestamp: time, time, created_at: time, received_at: time, at: time },
}));

function untimed(provider: string, payload: object): Adapted {
  return adapt({ provider, payload: JSON.stringify(payload), received: RECEIVED, timed: false }, CONTEXT);
}

describe('what is not to be believed of its time', () => {
  it.each(AGENTS)('has none, as %s writes it, as it is and in an envelope', (provider) => {
    for (const name of fixtureNames(provider)) {
      for (const told of TIMES) {
        const hook = { ...fixture(provider, name), ...told };
        for (const payload of [hook, { v: 1, event: 'Stop', ...told, hook }]) {
          const found = untimed(provider, payload);
          const times = found.ok ? [found.event.sent_at, found.ahead_ms] : [];
          expect([name, ...times.filter((time) => time !== undefined)]).toEqual([name]);
        }
      }
    }
  });

  it('is else what it was', () => {
    const hook = { event: 'Stop', session_id: 's', cwd: '/srv/shop', id: 'i' };
    expect(untimed('claude', { ...hook, sent_at: RECEIVED + 5 })).toEqual(untimed('claude', hook));
  });
});
