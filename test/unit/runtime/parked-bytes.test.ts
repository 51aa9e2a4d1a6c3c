import { expect, it } from 'vitest';
import { ParkedBytes } from '../../../runtime/parked-bytes.ts';

function parked(limit: number) {
  const evicted: string[] = [];
  return { bytes: new ParkedBytes<string>(limit, (holder) => evicted.push(holder)), evicted };
}

it('gives up the packet that was begun first', () => {
  const { bytes, evicted } = parked(100);
  bytes.set('first', 40);
  bytes.set('second', 40);
  bytes.set('first', 60);
  expect(evicted).toEqual([]);
  bytes.set('third', 1);
  expect(evicted).toEqual(['first']);
});

it('counts a finished packet no more, and its holder as a new one afterwards', () => {
  const { bytes, evicted } = parked(100);
  bytes.set('first', 90);
  bytes.set('second', 10);
  bytes.set('first', 0);
  bytes.set('first', 90);
  expect(evicted).toEqual([]);
  bytes.set('first', 91);
  expect(evicted).toEqual(['second']);
});

it('gives up one that is too much all alone', () => {
  const { bytes, evicted } = parked(100);
  bytes.set('large', 101);
  bytes.set('next', 100);
  expect(evicted).toEqual(['large']);
});
