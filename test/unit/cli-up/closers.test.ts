import { expect, it } from 'vitest';
import { Closers } from '../../../cli/up/closers.ts';
import { createLog } from '../../../runtime/log.ts';

it('closes in the opposite order, one after the other, and lets no failure stop the rest', async () => {
  const lines: string[] = [];
  const log = createLog({
    level: 'info',
    format: 'json',
    stream: { write: (line: string) => void lines.push(line) },
  });
  const closers = new Closers(log);
  const order: string[] = [];
  closers.add('first', () => void order.push('first'));
  closers.add('second', () => {
    throw new Error('stuck');
  });
  closers.add('third', async () => {
    await new Promise(setImmediate);
    order.push('third');
  });
  closers.add('fourth', () => Promise.reject(new Error('stuck too')));
  await closers.closeAll();
  expect(order).toEqual(['third', 'first']);
  expect(lines.map((line) => (JSON.parse(line) as { component: string }).component)).toEqual([
    'fourth',
    'second',
  ]);
  // Asked again, it has nothing left to close.
  await closers.closeAll();
  expect(order).toHaveLength(2);
});
