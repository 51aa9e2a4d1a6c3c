import { expect, it } from 'vitest';
import type { CanonicalEvent } from '../../../../protocol/events.ts';
import { decodePayload, encodePayload } from '../../../../protocol/messages/codec.ts';
import { Counters } from '../../../../services/aggregator/counters.ts';

const other = (provider: string, native?: string): CanonicalEvent => ({
  v: 1,
  event: 'Other',
  provider,
  ...(native !== undefined && { native }),
});

const REST = {
  v: 1,
  ...{ at: 1, started_at: 1, sessions: 0, waiting: 0 },
  status: 'ok',
  ...{ database_bytes: 0, memory_bytes: 0 },
  problems: [] as string[],
} as const;

it('counts by provider, keeps the first names, and says when there is a new one', () => {
  const counters = new Counters();
  expect(counters.snapshot()).not.toHaveProperty('unknown');
  expect(counters.event(other('claude', 'TeaBreak'), 'accepted')).toBe(true);
  expect(counters.event(other('claude', 'TeaBreak'), 'accepted')).toBe(false);
  expect(counters.event(other('claude', 'TeaBreak'), 'duplicate')).toBe(false);
  expect(counters.event(other('codex', 'TeaBreak'), 'late')).toBe(true);
  expect(counters.snapshot().unknown).toEqual([
    { provider: 'claude', count: 2, names: ['TeaBreak'] },
    { provider: 'codex', count: 1, names: ['TeaBreak'] },
  ]);
});

it.each<[string, CanonicalEvent]>([
  ['one that means nothing', other('claude', 'ConfigChange')],
  ['one of our own names', other('claude', 'Other')],
  ['one without a name', other('claude')],
  ['a try of the way', other('claude', 'SelfTest')],
  ['one that has a meaning', { ...other('claude', 'TeaBreak'), event: 'Stop' }],
])('does not count %s', (_what, event) => {
  const counters = new Counters();
  expect(counters.event(event, 'accepted')).toBe(false);
  expect(counters.snapshot().unknown).toBeUndefined();
});

it('stays small, and a message of its form, whatever is sent', () => {
  const counters = new Counters();
  let told = 0;
  for (let provider = 0; provider < 80; provider += 1)
    for (let name = 0; name < 20; name += 1)
      if (counters.event(other(`agent-${provider}`, `${'x'.repeat(60)}${name}`), 'accepted')) told += 1;
  const { unknown = [], ...rest } = counters.snapshot();
  expect([unknown.length, told]).toEqual([64, 64 * 8]);
  expect(unknown.every(({ names, count }) => names.length === 8 && count === 20)).toBe(true);
  const text = encodePayload('hubHealth', { ...REST, ...rest, unknown });
  expect(decodePayload('hubHealth', text).kind).toBe('payload');
});
