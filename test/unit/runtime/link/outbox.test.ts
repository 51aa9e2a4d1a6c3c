import { expect, it } from 'vitest';
import { createBackoff } from '../../../../runtime/link/backoff.ts';
import { Outbox } from '../../../../runtime/link/outbox.ts';

const message = (topic: string, payload: string, retain: boolean) => ({
  topic,
  payload,
  qos: 1 as const,
  retain,
});

async function flushed(outbox: Outbox): Promise<string[]> {
  const sent: string[] = [];
  outbox.flush(async ({ topic, payload }) => void sent.push(`${topic} ${String(payload)}`));
  return sent;
}

it('keeps order, and of a retained topic the last value only', async () => {
  const outbox = new Outbox();
  const promises = [
    outbox.put(message('a', '1', true)),
    outbox.put(message('e', '1', false)),
    outbox.put(message('a', '2', true)),
    outbox.put(message('e', '2', false)),
  ];
  expect(await flushed(outbox)).toEqual(['e 1', 'a 2', 'e 2']);
  await Promise.all(promises);
  expect(await flushed(outbox)).toEqual([]);
});

it('gives up the oldest happening when more than 1,000 wait, and no state', async () => {
  const outbox = new Outbox();
  const state = outbox.put(message('state', 'on', true));
  const first = outbox.put(message('e', '0', false));
  const rest = Array.from({ length: 1000 }, (_, i) => outbox.put(message('e', String(i + 1), false)));
  await expect(first).rejects.toMatchObject({
    code: 'not_delivered',
    message: expect.stringContaining('1000 newer messages wait'),
  });
  const sent = await flushed(outbox);
  expect(sent).toHaveLength(1001);
  expect(sent.slice(0, 2)).toEqual(['state on', 'e 1']);
  await Promise.all([state, ...rest]);
});

it('tells all who wait for a value when sending it fails', async () => {
  const outbox = new Outbox();
  const promises = [outbox.put(message('a', '1', true)), outbox.put(message('a', '2', true))];
  outbox.flush(() => Promise.reject(new Error('no')));
  for (const promise of promises) await expect(promise).rejects.toThrow('no');
});

it('waits longer after each failure, never longer than the cap, and shorter by chance', () => {
  const steady = createBackoff({ baseMs: 100, capMs: 1000, random: () => 0 });
  expect(Array.from({ length: 6 }, () => steady.next())).toEqual([100, 200, 400, 800, 1000, 1000]);
  steady.reset();
  expect(steady.next()).toBe(100);
  const lucky = createBackoff({ baseMs: 100, capMs: 1000, random: () => 0.999_999 });
  expect(Array.from({ length: 5 }, () => lucky.next())).toEqual([50, 100, 200, 400, 500]);
  for (let i = 0; i < 2000; i += 1) expect(lucky.next()).toBe(500);
});
