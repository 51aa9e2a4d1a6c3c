import { describe, expect, it } from 'vitest';
import { createBearerCheck } from '../../../../services/http/bearer.ts';
import { FailedAttempts } from '../../../../services/http/failed-attempts.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';

const TOKEN = 'a-token-of-the-tests-0123456789';
const MINUTE = 60_000;

function start(more: object = {}, random = false) {
  const clock = virtualClock();
  const shown = createBearerCheck({ token: TOKEN, random }, new FailedAttempts({ clock, most: 3, ...more }));
  const show = (token: string, address = '192.0.2.1') => shown({ authorization: `Bearer ${token}`, address });
  return { clock, shown, show };
}

describe('a bearer token', () => {
  it.each([
    [`Bearer ${TOKEN}`, 'right'],
    [`bearer  ${TOKEN} `, 'right'],
    [`Bearer ${TOKEN}x`, 'wrong'],
    [`Bearer ${TOKEN.slice(1)}`, 'wrong'],
    ['Bearer x', 'wrong'],
    ['Bearer ', 'none'],
    [`Basic ${TOKEN}`, 'none'],
    [TOKEN, 'none'],
    ['', 'none'],
    [undefined, 'none'],
    [`Bearer ${TOKEN} ${TOKEN}`, 'none'],
  ])('%s is %s', (authorization, expected) => {
    expect(start().shown({ authorization, address: '192.0.2.1' })).toBe(expected);
  });

  it('is not looked at where too many wrong ones came from, until the minute is over', () => {
    const { clock, show, shown } = start();
    expect(['a', 'b', 'c', 'd', TOKEN].map((token) => show(token))).toEqual([
      ...['wrong', 'wrong', 'wrong'],
      ...['blocked', 'blocked'],
    ]);
    expect(shown({ authorization: undefined, address: '192.0.2.1' })).toBe('none');
    expect([show(TOKEN, '192.0.2.2'), show(TOKEN, '::ffff:192.0.2.1')]).toEqual(['right', 'blocked']);
    clock.advance(MINUTE - 1);
    expect(show(TOKEN)).toBe('blocked');
    clock.advance(1);
    expect(show(TOKEN)).toBe('right');
  });

  it('that was made at random is taken all the same, and the wrong ones are not looked at', () => {
    const { show } = start({}, true);
    expect(['a', 'b', 'c', 'd', TOKEN, 'e', TOKEN].map((token) => show(token))).toEqual([
      ...['wrong', 'wrong', 'wrong', 'blocked'],
      ...['right', 'blocked', 'right'],
    ]);
  });

  it('that is right takes nothing off what was wrong', () => {
    const { show } = start();
    expect(['a', TOKEN, 'b', TOKEN, 'c', TOKEN].map((token) => show(token))).toEqual([
      ...['wrong', 'right', 'wrong', 'right', 'wrong'],
      'blocked',
    ]);
  });

  it('keeps no more addresses than it may', () => {
    const { show } = start({ addresses: 2 });
    for (const address of ['a', 'a', 'a', 'b', 'c']) show('x', address);
    // The oldest is forgotten, so it starts anew.
    expect([show(TOKEN, 'a'), show('x', 'b'), show('x', 'c')]).toEqual(['right', 'wrong', 'wrong']);
  });
});
