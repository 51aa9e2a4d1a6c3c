import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SignalPayload } from '../../../../protocol/messages/signal.ts';
import {
  emptySignal,
  encodeSignal,
  signalContent,
  signalPayload,
} from '../../../../protocol/messages/signal.ts';
import { ATTENTION_STATES, LAMP_STATES } from '../../../../protocol/states.ts';

const spec =
  '{"v":1,"name":"Codex","lamp":"permission","attention":{"state":"needs_user","count":2,"primary_project":"web-shop","projects":["web-shop","BacklogRunner"],"reason":"permission_request","since":1779819990,"updated_at":1779820000},"alert":17}';
const example = signalPayload.parse(JSON.parse(spec));

function waiting(names: {
  name?: string;
  primary?: string;
  projects?: string[];
  reason?: string;
}): SignalPayload {
  return {
    ...example,
    name: names.name ?? 'Codex',
    attention: {
      ...example.attention,
      primary_project: names.primary ?? names.projects?.[0] ?? 'web-shop',
      projects: names.projects ?? ['web-shop'],
      reason: names.reason ?? 'permission_request',
    },
  };
}

const anyName = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 700 }),
  fc.string({ unit: fc.constantFrom('"', '\\', '\n', '\0', '😀', '\ud800', 'a', 'é'), maxLength: 700 }),
);
const anySignal = fc
  .record({
    name: anyName,
    lamp: fc.constantFrom(...LAMP_STATES),
    state: fc.constantFrom(...ATTENTION_STATES),
    numbers: fc.tuple(fc.maxSafeNat(), fc.maxSafeNat(), fc.maxSafeNat(), fc.maxSafeNat()),
    primary: anyName,
    projects: fc.array(anyName, { maxLength: 5 }),
    reason: anyName,
  })
  .map(
    ({ name, lamp, state, numbers, primary, projects, reason }): SignalPayload => ({
      v: 1,
      name,
      lamp,
      attention: {
        state,
        count: numbers[0],
        primary_project: primary,
        projects,
        reason,
        since: numbers[1],
        updated_at: numbers[2],
      },
      alert: numbers[3],
    }),
  );

describe('a signal on the wire', () => {
  it('is byte for byte what the specification shows', () => {
    expect(encodeSignal(example)).toBe(spec);
  });

  it('keeps the order of its keys whatever the order it was built in', () => {
    const { v, name, lamp, attention, alert } = example;
    const { updated_at, since, ...rest } = attention;
    expect(encodeSignal({ alert, attention: { updated_at, since, ...rest }, lamp, name, v })).toBe(spec);
  });

  it('has every key when nobody needs anybody', () => {
    expect(encodeSignal(emptySignal('Claude'))).toBe(
      '{"v":1,"name":"Claude","lamp":"ready","attention":{"state":"idle","count":0,"primary_project":"","projects":[],"reason":"","since":0,"updated_at":0},"alert":0}',
    );
  });

  it('takes at most 512 bytes with every key, whatever the names are', () => {
    fc.assert(
      fc.property(anySignal, (signal) => {
        const text = encodeSignal(signal);
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(512);
        const back = JSON.parse(text) as SignalPayload;
        expect(Object.keys(back)).toEqual(['v', 'name', 'lamp', 'attention', 'alert']);
        expect(Object.keys(back.attention)).toEqual(Object.keys(example.attention));
        expect(back.attention.projects).toHaveLength(Math.min(3, signal.attention.projects.length));
        expect(back).toMatchObject({
          lamp: signal.lamp,
          alert: signal.alert,
          attention: {
            state: signal.attention.state,
            count: signal.attention.count,
            since: signal.attention.since,
            updated_at: signal.attention.updated_at,
          },
        });
      }),
    );
  });

  it('takes at most 512 bytes with four names of 500 emoji each', () => {
    const emoji = '😀'.repeat(500);
    const text = encodeSignal(waiting({ name: emoji, projects: [emoji, emoji, emoji], primary: emoji }));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(512);
    expect(Buffer.byteLength(text)).toBeGreaterThan(490);
    const { attention, name } = JSON.parse(text) as SignalPayload;
    for (const cut of [name, attention.primary_project, ...attention.projects])
      expect(cut).toMatch(/^(😀)+…$/u);
  });

  it('shortens the longest names first and leaves short ones whole', () => {
    const long = 'a'.repeat(300);
    const longer = 'b'.repeat(400);
    const back = JSON.parse(encodeSignal(waiting({ projects: ['web-shop', long, longer] }))) as SignalPayload;
    const [first, second = '', third = ''] = back.attention.projects;
    expect([back.name, back.attention.primary_project, first]).toEqual(['Codex', 'web-shop', 'web-shop']);
    expect(second).toMatch(/^a+…$/);
    expect(third).toMatch(/^b+…$/);
    expect(second).toHaveLength(third.length);
  });

  it('cuts equal names equally', () => {
    fc.assert(
      fc.property(anyName, anyName, (project, other) => {
        const { attention } = JSON.parse(
          encodeSignal(waiting({ projects: [project, other] })),
        ) as SignalPayload;
        expect(attention.projects[0]).toBe(attention.primary_project);
      }),
    );
  });

  it('counts the bytes that quotes and backslashes take in JSON', () => {
    const hostile = '"\\'.repeat(250);
    const text = encodeSignal(waiting({ projects: [hostile, hostile, hostile] }));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(512);
    expect((JSON.parse(text) as SignalPayload).attention.primary_project).toMatch(/^["\\]+…$/);
  });

  it('cuts a reason that is no word rather than grow', () => {
    const back = JSON.parse(encodeSignal(waiting({ reason: 'x'.repeat(4000) }))) as SignalPayload;
    expect(back.attention.reason).toBe(`${'x'.repeat(61)}…`);
    expect(back.attention.primary_project).toBe('web-shop');
  });

  it('fits its own schema when its parts do', () => {
    fc.assert(
      fc.property(anySignal, (signal) => {
        const text = encodeSignal({ ...signal, attention: { ...signal.attention, reason: 'stop' } });
        expect(signalPayload.safeParse(JSON.parse(text)).success).toBe(true);
      }),
    );
  });
});

describe('the content of a signal', () => {
  it('is the same when only updated_at is new', () => {
    const later = {
      ...example,
      attention: { ...example.attention, updated_at: example.attention.updated_at + 60 },
    };
    expect(signalContent(later)).toBe(signalContent(example));
  });

  it.each([
    ['alert', { ...example, alert: 18 }],
    ['lamp', { ...example, lamp: 'blocked' as const }],
    ['since', { ...example, attention: { ...example.attention, since: 1 } }],
    ['count', { ...example, attention: { ...example.attention, count: 3 } }],
    ['projects', { ...example, attention: { ...example.attention, projects: ['web-shop'] } }],
  ])('changes with %s', (_field, signal) => {
    expect(signalContent(signal)).not.toBe(signalContent(example));
  });
});

describe('the schema of a signal', () => {
  it.each([
    ['a key too many', { ...example, extra: 1 }],
    ['a key in attention too many', { ...example, attention: { ...example.attention, host: 'x' } }],
    ['a key missing', { ...example, alert: undefined }],
    ['another version', { ...example, v: 2 }],
    ['an unknown lamp', { ...example, lamp: 'green' }],
    ['an unknown state', { ...example, attention: { ...example.attention, state: 'waiting' } }],
    ['four projects', { ...example, attention: { ...example.attention, projects: ['a', 'b', 'c', 'd'] } }],
    ['a reason of several words', { ...example, attention: { ...example.attention, reason: 'do it' } }],
    ['part seconds', { ...example, attention: { ...example.attention, since: 1.5 } }],
    ['a negative counter', { ...example, alert: -1 }],
  ])('refuses %s', (_what, signal) => {
    expect(signalPayload.safeParse(signal).success).toBe(false);
  });
});
