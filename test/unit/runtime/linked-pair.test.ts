import { once } from 'node:events';
import { expect, it } from 'vitest';
import { linkedPair } from '../../../runtime/linked-pair.ts';

it.each([
  ['first', 0, 1],
  ['second', 1, 0],
] as const)('closes both ends when the %s is destroyed', async (_which, near, far) => {
  const pair = linkedPair();
  const closed = once(pair[far], 'close');
  pair[near].destroy();
  await closed;
  expect(pair.map(({ destroyed }) => destroyed)).toEqual([true, true]);
});

it('brings over what was written before an end, then ends', async () => {
  const [near, far] = linkedPair();
  near.end('last words');
  let heard = '';
  for await (const chunk of far) heard += String(chunk);
  expect(heard).toBe('last words');
});
