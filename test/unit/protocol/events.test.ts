import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { text, word } from '../../../protocol/clean-text.ts';
import { cutDown, EVENT_FIELDS, isCanonicalEvent } from '../../../protocol/event-fields.ts';
import { EVENT_NAMES, isEventName, isSignalName, SIGNAL_NAMES } from '../../../protocol/events.ts';

describe('words', () => {
  it.each([
    ['rate_limit', 'rate_limit'],
    ['a.b-C_9', 'a.b-C_9'],
    ['x'.repeat(64), 'x'.repeat(64)],
    ['x'.repeat(65), 'other'],
    ['two words', 'other'],
    ['böse', 'other'],
    ['', undefined],
    [7, undefined],
    [null, undefined],
  ])('%j passes as %j', (value, passed) => {
    expect(word(value)).toBe(passed);
  });
});

describe('text', () => {
  it.each([
    ['plain', 10, 'plain'],
    ['a\u0000b\u001fc\u007fd\u009fe', 10, 'abcde'],
    ['left\u202eright\u2028\u2069', 20, 'leftright'],
    ['12345', 4, '1234'],
    ['123🚦', 4, '123'],
    ['123🚦', 5, '123🚦'],
    ['\u0001123🚦', 4, '123'],
    ['1\ud83d2', 9, '1\ufffd2'],
    ['\u0001\u0002', 9, undefined],
    ['', 9, undefined],
    [7, 9, undefined],
  ])('%j of at most %i: %j', (value, longest, passed) => {
    expect(text(value, longest)).toBe(passed);
  });

  it('is short enough, well-formed and of one piece whatever it is given; what has passed passes again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 12 }), (value, longest) => {
        const passed = text(value, longest) ?? '';
        expect(passed.length).toBeLessThanOrEqual(longest);
        expect(passed.isWellFormed()).toBe(true);
        expect(passed).not.toMatch(/\p{Cc}/u);
        expect(text(passed, longest) ?? '').toBe(passed);
        const plain = !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(value) && value.isWellFormed();
        expect(!plain || value.startsWith(passed)).toBe(true);
      }),
    );
  });
});

const GOOD = {
  v: 1,
  event: 'Stop',
  provider: 'claude',
  session_id: 's1',
  cwd: '/w',
  sent_at: 5,
  digest: '0123456789abcdef',
  crons: 0,
  question: true,
  background: [{ id: 'b1', type: 'shell', status: 'running' }],
} as const;

describe('cutDown', () => {
  it('leaves a canonical event as it is', () => {
    expect(cutDown(GOOD)).toEqual(GOOD);
    expect(isCanonicalEvent(GOOD)).toBe(true);
  });

  it('drops every field that the table does not have', () => {
    const draft = { ...GOOD, prompt: 'secret', tool_input: { command: 'secret' }, __proto__: { cwd: 'x' } };
    expect(JSON.stringify(cutDown(draft))).toBe(JSON.stringify(cutDown(GOOD)));
  });

  it.each([
    ['signal', 'nonsense'],
    ['native', { a: 'sentence' }],
    ['sent_at', -1],
    ['sent_at', 1.5],
    ['sent_at', '5'],
    ['ppid', Number.MAX_SAFE_INTEGER + 1],
    ['question', 'yes'],
    ['question', false],
    ['digest', 'ABCDEF0123456789'],
    ['digest', '0123'],
    ['digest', 7],
    ['background', 'none'],
    ['session_id', ''],
    ['session_id', 5],
    ['cwd', null],
    ['tool', undefined],
  ])('leaves out %s %j, which is not what its rule takes', (field, value) => {
    expect(cutDown({ event: 'Stop', provider: 'claude', [field]: value })).toEqual({
      v: 1,
      event: 'Stop',
      provider: 'claude',
    });
  });

  it('leaves out an event that is none of ours, which makes it no event at all', () => {
    const cut = cutDown({ event: 'stop' as 'Stop', provider: 'claude' });
    expect(cut).toEqual({ v: 1, provider: 'claude' });
    expect(isCanonicalEvent(cut)).toBe(false);
  });

  it('of background work only id, type and status stay, of at most 64', () => {
    const background = [
      { id: 'b1', type: 'shell', status: 'running', command: 'secret' },
      'nonsense',
      null,
      { id: 7, type: 'cloud session' },
      ...Array.from({ length: 100 }, () => ({})),
    ];
    const cut = cutDown({ event: 'Stop', provider: 'claude', background }).background ?? [];
    expect(cut.slice(0, 2)).toEqual([
      { id: 'b1', type: 'shell', status: 'running' },
      { id: '', type: 'other', status: 'other' },
    ]);
    expect(cut).toHaveLength(62);
  });

  it('makes a canonical event of any draft', () => {
    const fields = Object.keys(EVENT_FIELDS).filter((field) => field !== 'event' && field !== 'provider');
    fc.assert(
      fc.property(
        fc.constantFrom(...EVENT_NAMES),
        fc.dictionary(fc.constantFrom(...fields), fc.anything()),
        (event, draft) => {
          const cut = cutDown({ ...draft, event, provider: 'claude' });
          expect(isCanonicalEvent(cut)).toBe(true);
          expect(cutDown(cut)).toEqual(cut);
          expect(isCanonicalEvent(JSON.parse(JSON.stringify(cut)))).toBe(true);
        },
      ),
    );
  });
});

describe('isCanonicalEvent', () => {
  it.each([
    ['no object', 'Stop'],
    ['null', null],
    ['another version', { ...GOOD, v: 2 }],
    ['no event of ours', { ...GOOD, event: 'stop' }],
    ['no provider', { ...GOOD, provider: 7 }],
    ['a field too many', { ...GOOD, prompt: 'x' }],
    ['a field of the language', JSON.parse('{"v":1,"event":"Stop","provider":"claude","constructor":"x"}')],
    ['a value that would be cut', { ...GOOD, session_id: 'x'.repeat(201) }],
    ['a sentence for a word', { ...GOOD, reason: 'two words' }],
    [
      'background work with more in it',
      { ...GOOD, background: [{ id: 'b', type: 'shell', status: 'x', command: 'y' }] },
    ],
  ])('not: %s', (_what, value) => {
    expect(isCanonicalEvent(value)).toBe(false);
  });
});

it('names are matched as they are written', () => {
  expect(EVENT_NAMES.every(isEventName)).toBe(true);
  expect(SIGNAL_NAMES.every(isSignalName)).toBe(true);
  for (const value of ['stop', 'constructor', '', 7, undefined])
    expect([isEventName(value), isSignalName(value)]).toEqual([false, false]);
});
