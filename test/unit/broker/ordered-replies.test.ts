import { expect, it } from 'vitest';
import { OrderedReplies } from '../../../broker/ordered-replies.ts';

it('gives answers in the order in which they were asked for', () => {
  const given: string[] = [];
  const replies = new OrderedReplies();
  const [first, second, third] = [replies.take(), replies.take(), replies.take()];
  replies.settle(third, () => given.push('third'));
  replies.settle(first, () => given.push('first'));
  expect([given, replies.empty]).toEqual([['first'], false]);
  replies.settle(second, () => given.push('second'));
  expect([given, replies.empty]).toEqual([['first', 'second', 'third'], true]);
});

it('answers nothing behind a failure, and the failure itself a turn later', async () => {
  const given: string[] = [];
  const replies = new OrderedReplies();
  const [first, second, third] = [replies.take(), replies.take(), replies.take()];
  replies.fail(second, () => given.push('failed'));
  replies.settle(third, () => given.push('third'));
  replies.settle(first, () => given.push('first'));
  expect(given).toEqual(['first']);
  await new Promise(setImmediate);
  replies.settle(replies.take(), () => given.push('fourth'));
  await new Promise(setImmediate);
  expect([given, replies.empty]).toEqual([['first', 'failed'], false]);
});
