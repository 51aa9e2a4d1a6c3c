import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodePayload, encodePayload } from '../../../../protocol/messages/codec.ts';
import { fitLine, LINE_BYTES, linePayload } from '../../../../protocol/messages/line.ts';
import { encodeUsage, usagePayload } from '../../../../protocol/messages/usage.ts';
import { TOPIC_NAMES } from '../../../../protocol/topics.ts';
import { EXAMPLES } from './examples.ts';

describe('a message', () => {
  it.each(TOPIC_NAMES)('%s comes back as it was sent', (name) => {
    expect(decodePayload(name, encodePayload(name, EXAMPLES[name]))).toStrictEqual({
      kind: 'payload',
      payload: EXAMPLES[name],
    });
  });

  it.each(TOPIC_NAMES)('%s: empty means that it is no more', (name) => {
    expect(decodePayload(name, '')).toEqual({ kind: 'cleared' });
  });

  it.each([
    ['lamp', 'ready', 'ready'],
    ['hubState', 'offline', 'offline'],
    ['line', 'Claude done: "web-shop"', 'Claude done: "web-shop"'],
  ] as const)('%s is bare text', (name, payload, wire) => {
    expect(encodePayload(name, payload)).toBe(wire);
  });

  it('may hold keys that a newer hub has added, at any depth', () => {
    const newer = {
      ...EXAMPLES.session,
      mood: 'good',
      attentions: EXAMPLES.session.attentions.map((entry) => ({ ...entry, weight: 3 })),
    };
    expect(decodePayload('session', JSON.stringify(newer))).toStrictEqual({
      kind: 'payload',
      payload: EXAMPLES.session,
    });
  });

  it.each([
    ['signal', '{"v":1', 'not JSON'],
    ['signal', '[]', 'wrong (invalid_type)'],
    ['signal', JSON.stringify({ ...EXAMPLES.signal, v: 2 }), 'v: wrong (invalid_value)'],
    ['signal', JSON.stringify({ ...EXAMPLES.signal, v: 2, secret: 'x' }), 'v: wrong (invalid_value)'],
    ['hubState', 'perhaps', 'wrong (invalid_value)'],
    [
      'session',
      JSON.stringify({ ...EXAMPLES.session, attentions: [{ id: 'a', kind: 'party', opened_at: 1 }] }),
      'attentions.0.kind: wrong (invalid_value)',
    ],
  ] as const)('%s: %s is unreadable', (name, text, problem) => {
    expect(decodePayload(name, text)).toEqual({ kind: 'unreadable', problem });
  });

  it('never throws and never tells the content, whatever arrives', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...TOPIC_NAMES),
        fc.oneof(
          fc.string(),
          fc.json({ maxDepth: 4 }),
          fc.constant(`${'['.repeat(50_000)}${']'.repeat(50_000)}`),
        ),
        fc.constant('{"v":1,"__proto__":{"x":1},"canary":"canary"}'),
        (name, text, odd) => {
          for (const message of [text, odd]) {
            const decoded = decodePayload(name, message);
            expect(decoded.kind === 'unreadable' ? decoded.problem : '').not.toContain('canary');
          }
        },
      ),
    );
  });
});

describe('usage on the wire', () => {
  const window = EXAMPLES.signalUsage.windows[0];
  if (window === undefined) throw new Error('the example has a window');

  it('is what the specification shows', () => {
    expect(encodeUsage(EXAMPLES.signalUsage)).toBe(
      '{"v":1,"windows":[{"label":"5h","pct":42,"resets_in_sec":7200,"duration_sec":18000}],"updated_at":1779820000}',
    );
  });

  it('takes at most 512 bytes, whatever the labels are and however many windows', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            label: fc.string({ unit: 'binary', maxLength: 200 }),
            pct: fc.double({ min: 0, max: 100, noNaN: true }),
            resets_in_sec: fc.option(fc.maxSafeNat()),
            duration_sec: fc.option(fc.maxSafeNat()),
          }),
          { maxLength: 20 },
        ),
        (windows) => {
          const text = encodeUsage({ v: 1, windows, updated_at: Number.MAX_SAFE_INTEGER });
          expect(Buffer.byteLength(text)).toBeLessThanOrEqual(512);
          const back = usagePayload.parse(JSON.parse(text));
          expect(back.windows.length).toBeGreaterThanOrEqual(Math.min(3, windows.length));
          back.windows.forEach((kept, index) =>
            expect(kept.pct).toBe(Number(JSON.stringify(windows[index]?.pct))),
          );
        },
      ),
    );
  });

  it('is cut on its way through the codec', () => {
    const many = { ...EXAMPLES.signalUsage, windows: Array.from({ length: 30 }, () => window) };
    expect(Buffer.byteLength(encodePayload('signalUsage', many))).toBeLessThanOrEqual(512);
  });
});

describe('the line', () => {
  it.each([
    ['Codex waiting: ', 'web-shop', ' (permission)', 'Codex waiting: web-shop (permission)'],
    ['Codex waiting: ', 'a'.repeat(60), ' (permission)', `Codex waiting: ${'a'.repeat(33)}… (permission)`],
    ['Codex waiting: ', 'web-shop', undefined, 'Codex waiting: web-shop'],
    ['x'.repeat(62), 'web-shop', '', `${'x'.repeat(61)}…`],
    ['x'.repeat(80), 'web-shop', ' (permission)', `${'x'.repeat(61)}…`],
  ])('%s%s%s', (before, name, after, expected) => {
    expect(fitLine(before, name, after)).toBe(expected);
  });

  it('takes at most 64 bytes, whatever its parts are', () => {
    const part = fc.string({ unit: 'grapheme', maxLength: 80 });
    fc.assert(
      fc.property(part, part, part, (before, name, after) => {
        expect(Buffer.byteLength(fitLine(before, name, after))).toBeLessThanOrEqual(LINE_BYTES);
      }),
    );
    expect(linePayload.safeParse(fitLine('é'.repeat(50), 'x')).success).toBe(true);
  });
});
