import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  coversFilter,
  type Identity,
  matches,
  mayPublish,
  mayReceive,
  maySubscribe,
  type Role,
} from '../../../protocol/roles.ts';
import { createTopics } from '../../../protocol/topics.ts';

/** A topic of every row of the table, and some that are not ours. */
const ALL = [
  'hook/claude',
  'usage/claude',
  'signal/claude',
  'signal/claude/usage',
  'signal/claude/event',
  'lamp/claude',
  'lamp/all',
  'line',
  'session/claude/0123456789ab',
  'job/j1',
  'job/j1/endpoint',
  'job/j1/reply',
  'device/d1/state',
  'device/d1/info',
  'device/d1/event',
  'device/d1/set',
  'device/d2/state',
  'device/d2/set',
  'host/studio/state',
  'host/laptop/state',
  'evidence/studio',
  'evidence/laptop',
  'signalbox/state',
  'signalbox/info',
  'signalbox/health',
  'signalbox/reject',
  'signalbox/request/ack',
  'signalbox/response/ack',
  'homeassistant/status',
  'homeassistant/sensor/x/config',
  'desk/lamp/set',
  'desk/lamp/state',
];
const SIGNALS = ['signal/claude', 'signal/claude/usage', 'signal/claude/event'];
const LAMPS = ['lamp/claude', 'lamp/all'];
const DISPLAY = [...SIGNALS, ...LAMPS, 'line'];
const HUB = [
  'signalbox/state',
  'signalbox/info',
  'signalbox/health',
  'signalbox/reject',
  'signalbox/request/ack',
  'signalbox/response/ack',
];
const DEVICES = ALL.filter((topic) => topic.startsWith('device/'));
const VIEW = [
  ...DISPLAY,
  'session/claude/0123456789ab',
  'job/j1',
  ...HUB,
  ...DEVICES,
  'host/studio/state',
  'host/laptop/state',
];

const ROWS: readonly (readonly [
  Role,
  Omit<Identity, 'roles'>,
  publish: readonly string[],
  subscribe: readonly string[],
])[] = [
  ['hook', {}, ['hook/claude', 'usage/claude'], []],
  ['viewer', {}, [], VIEW],
  ['operator', {}, ['signalbox/request/ack', 'job/j1/reply'], VIEW],
  [
    'device',
    { id: 'd1' },
    ['device/d1/state', 'device/d1/info', 'device/d1/event'],
    [...DISPLAY, 'signalbox/state', 'device/d1/set'],
  ],
  [
    'homeassistant',
    {},
    ['signalbox/request/ack', 'homeassistant/status'],
    [...DISPLAY, ...HUB, ...DEVICES, 'homeassistant/status', 'homeassistant/sensor/x/config'],
  ],
  [
    'lamp',
    { id: 'desk', topics: ['desk/lamp/set', 'desk/lamp/state'] },
    ['desk/lamp/set', 'desk/lamp/state'],
    ['desk/lamp/set', 'desk/lamp/state'],
  ],
  ['jobhost', {}, ['job/j1', 'job/j1/endpoint'], ['job/j1/reply', 'session/claude/0123456789ab']],
  [
    'host',
    { id: 'studio' },
    ['hook/claude', 'usage/claude', 'evidence/studio', 'host/studio/state'],
    [...SIGNALS, 'session/claude/0123456789ab', ...HUB],
  ],
  ['hub', {}, ALL, ALL],
];

/** Topics below the prefix, but for those that belong to others. */
function under(prefix: string, topic: string): string {
  return prefix === '' || /^(homeassistant|desk)\//.test(topic) ? topic : `${prefix}/${topic}`;
}

describe.each(['', 'team/alice'])('roles (spec: bus), prefix %j', (prefix) => {
  const topics = createTopics(prefix);

  it.each(ROWS)('%s', (role, more, publish, subscribe) => {
    const identity: Identity = { roles: [role], ...more };
    const given = (list: readonly string[]) => list.map((topic) => under(prefix, topic)).toSorted();
    const all = given(ALL);
    expect(all.filter((topic) => mayPublish(topics, identity, topic))).toEqual(given(publish));
    expect(all.filter((topic) => mayReceive(topics, identity, topic))).toEqual(given(subscribe));
    for (const topic of all)
      expect(maySubscribe(topics, identity, topic) !== 'none').toBe(mayReceive(topics, identity, topic));
  });

  it('the rights of several roles are their union', () => {
    const identity: Identity = { roles: ['hook', 'viewer'] };
    expect(mayPublish(topics, identity, topics.under('hook/claude'))).toBe(true);
    expect(mayReceive(topics, identity, topics.under('line'))).toBe(true);
    expect(mayReceive(topics, identity, topics.under('hook/claude'))).toBe(false);
  });
});

describe('roles', () => {
  const topics = createTopics();

  it('under a prefix nothing outside it is anyone’s but the hub’s', () => {
    const own = createTopics('team/alice');
    for (const [role, more] of ROWS.filter(([one]) => one !== 'hub')) {
      for (const topic of ['line', 'hook/claude', 'team/bob/line', 'job/j1'])
        expect([
          mayPublish(own, { roles: [role], ...more }, topic),
          mayReceive(own, { roles: [role], ...more }, topic),
        ]).toEqual([false, false]);
    }
  });

  it.each([undefined, '', '+', '#', 'a/b', 'd1\0'])('an identity called %j owns no topic', (id) => {
    for (const role of ['device', 'host'] as const) {
      const identity: Identity = { roles: [role], ...(id !== undefined && { id }) };
      for (const topic of [
        'device/d1/state',
        'device//state',
        'device/+/state',
        'host/studio/state',
        'host/#',
      ])
        expect(mayPublish(topics, identity, topic)).toBe(false);
      expect(maySubscribe(topics, identity, 'device/d1/set')).toBe('none');
    }
    expect(mayPublish(topics, { roles: ['lamp'] }, 'desk/lamp/set')).toBe(false);
  });

  it.each<[Role, string, 'all' | 'some' | 'none']>([
    ['viewer', 'signal/+', 'all'],
    ['viewer', 'signal/#', 'all'],
    ['viewer', 'job/+', 'all'],
    ['viewer', 'job/#', 'some'],
    ['viewer', 'job/+/endpoint', 'none'],
    ['viewer', '#', 'some'],
    ['viewer', '+/claude', 'some'],
    ['viewer', 'hook/#', 'none'],
    ['viewer', 'hook/+', 'none'],
    ['viewer', '$SYS/#', 'none'],
    ['hook', '#', 'none'],
    ['device', 'device/+/set', 'some'],
    ['device', 'device/d1/set', 'all'],
    ['device', 'device/d2/set', 'none'],
    ['hub', '#', 'all'],
    ['hub', '$SYS/#', 'none'],
    ['hub', 'hook/+', 'all'],
  ])('%s may see %s: %s', (role, filter, answer) => {
    expect(maySubscribe(topics, { roles: [role], id: 'd1' }, filter)).toBe(answer);
  });
});

const level = fc.constantFrom('a', 'b', '$x', '');
const topic = fc.array(level, { minLength: 1, maxLength: 4 }).map((levels) => levels.join('/'));
const filter = fc
  .tuple(fc.array(fc.oneof(level, fc.constant('+')), { minLength: 1, maxLength: 4 }), fc.boolean())
  .map(([levels, all]) => [...levels, ...(all ? ['#'] : [])].join('/'));
const anyFilter = fc.oneof({ weight: 9, arbitrary: filter }, { weight: 1, arbitrary: fc.constant('#') });

/** MQTT's rules as a regular expression [MQTT-4.7]. */
function oracle(own: string, given: string): boolean {
  if (given.startsWith('$') && /^[+#]/.test(own)) return false;
  const source = own
    .split('/')
    .map((part) => (part === '+' ? '[^/]*' : part.replaceAll('$', '\\$')))
    .join('/')
    .replace(/^#$/, '.*')
    .replace(/\/#$/, '(/.*)?');
  return new RegExp(`^${source}$`).test(given);
}

/** Every topic of up to four levels over a small alphabet, one letter of which no filter of these tests names. */
const UNIVERSE = (() => {
  const letters = ['a', 'b', '$x', '', 'z'];
  let longest = letters;
  const all = [...letters];
  for (let depth = 2; depth <= 5; depth++) {
    longest = longest.flatMap((head) => letters.map((part) => `${head}/${part}`));
    all.push(...longest);
  }
  return all;
})();

/** The same as `#`, which is not seen: no right is written so, and the answer is the narrower one. */
const ALL_WRITTEN_LONG = '+/#';

describe('filters', () => {
  it('matches is MQTT’s rule', () => {
    fc.assert(
      fc.property(anyFilter, topic, (own, given) => {
        expect(matches(own, given)).toBe(oracle(own, given));
      }),
    );
  });

  it('one filter covers another exactly when it covers all that the other does', () => {
    fc.assert(
      fc.property(anyFilter, anyFilter, (outer, inner) => {
        fc.pre(outer !== ALL_WRITTEN_LONG);
        const covered = UNIVERSE.filter((one) => oracle(inner, one)).every((one) => oracle(outer, one));
        expect(coversFilter(outer, inner)).toBe(covered);
      }),
      { numRuns: 60 },
    );
  });

  it('`some` and `none` tell whether anything is to be seen, `all` that nothing else is', () => {
    const topics = createTopics();
    fc.assert(
      fc.property(anyFilter, anyFilter, (own, asked) => {
        fc.pre(own !== ALL_WRITTEN_LONG);
        const identity: Identity = { roles: ['lamp'], topics: [own] };
        const seen = UNIVERSE.filter((one) => oracle(asked, one));
        const allowed = seen.filter((one) => oracle(own, one));
        const answer = maySubscribe(topics, identity, asked);
        expect(answer === 'none').toBe(allowed.length === 0);
        expect(answer === 'all').toBe(allowed.length === seen.length);
      }),
      { numRuns: 60 },
    );
  });
});
