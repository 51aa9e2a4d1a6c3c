import { describe, expect, it } from 'vitest';
import { canMoveCursor, hasColour } from '../../../cli/terminal/colour.ts';
import { cutToWidth } from '../../../cli/terminal/cells.ts';
import { shortDuration } from '../../../cli/terminal/duration.ts';
import { lampBadge } from '../../../cli/terminal/lamp-badge.ts';
import { wrap } from '../../../cli/terminal/wrap.ts';
import { LAMP_STATES } from '../../../protocol/states.ts';

describe('colour', () => {
  it.each([
    ['a terminal', true, {}, true],
    ['a pipe', false, {}, false],
    ['a dumb terminal', true, { TERM: 'dumb' }, false],
    ['NO_COLOR', true, { NO_COLOR: '1' }, false],
    ['an empty NO_COLOR', true, { NO_COLOR: '' }, true],
    ['FORCE_COLOR on a pipe', false, { FORCE_COLOR: '1' }, true],
    ['an empty FORCE_COLOR on a pipe', false, { FORCE_COLOR: '' }, true],
    ['FORCE_COLOR=0', true, { FORCE_COLOR: '0' }, false],
    ['both', true, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
  ])('%s', (_name, isTTY, env, expected) => {
    expect(hasColour({ isTTY }, env)).toBe(expected);
  });

  it('is not what moving the cursor depends on', () => {
    expect(canMoveCursor({ isTTY: true }, { NO_COLOR: '1' })).toBe(true);
    expect(canMoveCursor({ isTTY: false }, { FORCE_COLOR: '1' })).toBe(false);
  });
});

describe('durations', () => {
  it.each([
    [-5, '0 s'],
    [0, '0 s'],
    [59.9, '59 s'],
    [60, '1 min'],
    [125, '2 min'],
    [3_599, '59 min'],
    [3_600, '1 h'],
    [86_400, '1 d'],
    [1_000_000, '11 d'],
  ])('%d s: %s', (seconds, text) => {
    expect(shortDuration(seconds)).toBe(text);
  });
});

describe('cutting', () => {
  it.each([
    ['short', 10, 'short'],
    ['exactly ten', 11, 'exactly ten'],
    ['web-shop', 5, 'web-…'],
    ['日本語', 4, '日…'],
    ['👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 3, '👩‍👩‍👧‍👦…'],
    ['abc', 1, '…'],
    ['abc', 0, ''],
  ])('%s to %i columns', (text, width, cut) => {
    expect(cutToWidth(text, width)).toBe(cut);
  });
});

describe('wrapping', () => {
  it('breaks at spaces, with an indent for the first and for the other lines', () => {
    expect(wrap('one two three four', 11, { first: 4, rest: 2 })).toBe('    one two\n  three\n  four');
  });

  it('keeps a word that is longer than the line', () => {
    expect(wrap('a bbbbbbbbbbbb c', 6, { first: 0, rest: 1 })).toBe('a\n bbbbbbbbbbbb\n c');
  });
});

describe('the lamp in a terminal', () => {
  it.each(LAMP_STATES)('shows %s in three columns, without colour as with it', (lamp) => {
    const bare = lampBadge(lamp, { colour: false });
    expect(bare.text).toHaveLength(3);
    expect(bare.paint(bare.text)).toBe(bare.text);
    const lit = lampBadge(lamp, { colour: true });
    expect(lit.text).toBe(bare.text);
    expect(lit.paint('x')).toMatch(/^\u001b\[[\d;]+mx\u001b\[0m$/);
  });

  const looks = (lamp: (typeof LAMP_STATES)[number]): Set<string> =>
    new Set(
      Array.from({ length: 60 }, (_, i) => lampBadge(lamp, { colour: true, elapsed: i * 80 }).paint('x')),
    );

  it('moves with the rhythm where the state has one', () => {
    expect(looks('active').size).toBe(3);
    for (const lamp of ['blocked', 'permission', 'needs_review', 'stale', 'completed'] as const)
      expect(looks(lamp).size).toBeGreaterThan(1);
    expect(looks('ready').size).toBe(1);
    expect(looks('paused').size).toBe(1);
  });

  it('puts out the lit field of what asks for the user in the dark half', () => {
    const all = [...looks('permission')];
    expect(all.some((look) => /\b7;31m/.test(look))).toBe(true);
    expect(all).toContain('\u001b[31mx\u001b[0m');
  });

  it('never shows active in yellow or red', () => {
    for (const look of looks('active')) expect(look).toMatch(/\b32m/);
  });
});
