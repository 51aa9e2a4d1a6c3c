import { expect, it } from 'vitest';
import type { AttentionState } from '../../../protocol/states.ts';
import { byUrgency } from '../../../protocol/urgency.ts';

it('puts those that wait for the user first, of these the newest, and never two in no order', () => {
  const rows: [string, AttentionState, number][] = [
    ['b', 'running', 9],
    ['d', 'needs_user', 5],
    ['c', 'needs_user', 5],
    ['a', 'needs_user', 7],
    ['e', 'idle', 99],
    ['f', 'error', 1],
  ];
  const sessions = rows.map(([key, state, since]) => ({ key, state, since }));
  const order = (list: typeof sessions): string =>
    list
      .toSorted(byUrgency)
      .map(({ key }) => key)
      .join('');
  expect([order(sessions), order(sessions.toReversed())]).toEqual(['acdfbe', 'acdfbe']);
});
