import { describe, expect, it } from 'vitest';
import { Door } from '../../../cli/up/door.ts';
import type { Aggregator } from '../../../services/aggregator/aggregator.ts';
import type { Accepted } from '../../../services/aggregator/jobs.ts';

const EVENT = { v: 1, event: 'Stop', provider: 'claude', session_id: 's' } as const;
const ACCEPTED: Accepted = { ok: true, event: EVENT };
const REFUSED: Accepted = { ok: false, code: 'bad_json', message: 'no JSON' };
const PAYLOAD = Buffer.from('{"event":"Stop","prompt":"a secret"}');

/** Stands for the aggregator, which the bus tests prove: answers as told and notes what it was asked. */
function aggregatorOf(answer: Accepted) {
  const accepted: string[] = [];
  const rejected: unknown[][] = [];
  const aggregator: Pick<Aggregator, 'accept' | 'reject'> = {
    accept: async (provider, payload) => {
      accepted.push(`${provider} ${Buffer.from(payload as Uint8Array).toString()}`);
      return answer;
    },
    reject: (...told) => void rejected.push(told),
  };
  return { aggregator: aggregator as Aggregator, accepted, rejected };
}

describe('the door', () => {
  it('lets events wait until the aggregator is ready, and keeps their order', async () => {
    const door = new Door();
    const { aggregator, accepted } = aggregatorOf(ACCEPTED);
    const answers = [door.accept('claude', Buffer.from('1')), door.accept('codex', Buffer.from('2'))];
    await new Promise(setImmediate);
    expect(accepted).toEqual([]);
    door.open(aggregator);
    expect(await Promise.all(answers)).toEqual([ACCEPTED, ACCEPTED]);
    expect(accepted).toEqual(['claude 1', 'codex 2']);
  });

  it('puts the cut-down event in the place of the raw one', async () => {
    const door = new Door();
    door.open(aggregatorOf(ACCEPTED).aggregator);
    expect(Buffer.from(await door.gate('claude', PAYLOAD)).toString()).toBe(JSON.stringify(EVENT));
  });

  it('puts nothing in the place of a refused one', async () => {
    const door = new Door();
    door.open(aggregatorOf(REFUSED).aggregator);
    expect(await door.gate('claude', PAYLOAD)).toHaveLength(0);
  });

  it('turns events away without an acknowledgement once it is closed, also those that waited', async () => {
    const door = new Door();
    const { aggregator, accepted, rejected } = aggregatorOf(ACCEPTED);
    const waiting = door.accept('claude', PAYLOAD);
    door.close();
    door.open(aggregator);
    await expect(waiting).rejects.toMatchObject({ code: 'not_committed' });
    await expect(door.gate('claude', PAYLOAD)).rejects.toMatchObject({ code: 'not_committed' });
    door.reject('claude', 'too_large', { limit: 1 });
    expect([accepted, rejected]).toEqual([[], []]);
  });

  it('hands on what the broker turned away', () => {
    const door = new Door();
    const { aggregator, rejected } = aggregatorOf(ACCEPTED);
    // Nobody is there yet who could count it.
    door.reject('claude', 'too_large', { limit: 1 });
    door.open(aggregator);
    door.reject(undefined, 'not_allowed', { role: 'viewer', topic: 'x' });
    expect(rejected).toEqual([[undefined, 'not_allowed', { role: 'viewer', topic: 'x' }]]);
  });
});
