import { describe, expect, it } from 'vitest';
import type { NtfyOutcome } from '../../../../services/notifier/ntfy-client.ts';
import { Driver, keyOf, MINUTE, SECOND } from './desk-driver.ts';

const SHOP = `codex-${keyOf('shop')}`;
const DOWN: NtfyOutcome = { ok: false, fault: 'unreachable', retry: true };
const LIMIT: NtfyOutcome = { ok: false, fault: 'rate_limited', retry: true, status: 429, code: 42901 };
const GOOD: NtfyOutcome = { ok: true, replaces: true };
const tries = (driver: Driver): number => driver.server.filter((words) => words.includes('!')).length;

describe('a server in trouble', () => {
  it.each([
    ['is down', DOWN, 8, 16, [`clear ${SHOP}`]],
    // It has said that it took nothing, so there is nothing to clear.
    ['limits its visitors', LIMIT, 5, 8, []],
  ])(
    'that %s is asked again with growing pauses, and the message is given up after 10 min',
    async (_what, fault, few, many, cleared) => {
      const driver = new Driver();
      driver.answer = fault;
      await driver.waits('shop');
      await driver.wait(MINUTE);
      expect(tries(driver)).toBeLessThan(few);
      await driver.wait(10 * MINUTE);
      expect(tries(driver)).toBeLessThanOrEqual(many);
      driver.answer = GOOD;
      await driver.wait(10 * MINUTE);
      expect(driver.server.filter((words) => !words.includes('!'))).toEqual([]);
      expect(driver.ledger('shop')).toEqual(['failed too_old']);
      const before = driver.server.length;
      await driver.session('shop', 'running');
      expect(driver.server.slice(before)).toEqual(cleared);
    },
  );

  it('is told the newest alone, once it answers', async () => {
    const driver = new Driver();
    driver.answer = DOWN;
    await driver.waits('shop');
    await driver.wait(10 * SECOND);
    await driver.session('shop', 'running');
    await driver.wait(10 * SECOND);
    await driver.waits('shop', { open: ['question'] });
    driver.answer = GOOD;
    await driver.wait(2 * MINUTE);
    expect(driver.server.filter((words) => !words.includes('!'))).toEqual(['4 Codex waiting: shop']);
    expect(driver.messages[0]?.message).toBe('Asks a question');
  });

  it.each<NtfyOutcome>([
    { ok: false, fault: 'not_authorised', retry: false, status: 403, code: 40301 },
    { ok: false, fault: 'refused', retry: false, status: 400 },
    { ok: false, fault: 'too_large', retry: false, status: 413 },
  ])('that refuses is not asked again: %j', async (answer) => {
    const driver = new Driver();
    driver.answer = answer;
    await driver.waits('shop');
    await driver.wait(20 * MINUTE);
    expect(driver.server).toHaveLength(1);
    expect(driver.ledger('shop')).toEqual([`failed ${answer.ok ? '' : answer.fault}`]);
  });

  it.each([
    ['has it', true, []],
    ['has it not', false, ['4 Codex waiting: shop']],
    ['does not say', undefined, ['4 Codex waiting: shop']],
  ])('is asked for a message of which no answer was heard: it %s', async (_what, arrived, told) => {
    const driver = new Driver();
    driver.answer = { ok: false, fault: 'timeout', retry: true };
    await driver.waits('shop');
    driver.answer = GOOD;
    driver.arrived = arrived;
    await driver.wait(MINUTE);
    expect(driver.server.slice(1)).toEqual(told);
    expect(driver.ledger('shop')).toEqual(['sent']);
    await driver.session('shop', 'running');
    expect(driver.server.at(-1)).toBe(`clear ${SHOP}`);
  });

  it.each<[string, NtfyOutcome]>([
    ['timeout', { ok: false, fault: 'timeout', retry: true }],
    ['unreachable', DOWN],
    ['server error', { ok: false, fault: 'server_error', retry: true, status: 502 }],
    ['garbage', { ok: false, fault: 'garbage', retry: true, status: 200 }],
  ])(
    'that takes a message and answers with %s until it is given up: it is cleared',
    async (_what, answer) => {
      const driver = new Driver();
      driver.answer = answer;
      driver.arrives = true;
      await driver.waits('shop');
      await driver.wait(20 * MINUTE);
      expect(driver.ledger('shop')).toEqual(['failed too_old']);
      expect(driver.shown.size).toBe(1);
      driver.answer = GOOD;
      await driver.session('shop', 'running');
      expect([...driver.shown]).toEqual([]);
    },
  );

  it.each<[string, NtfyOutcome]>([
    ['server error', { ok: false, fault: 'server_error', retry: true, status: 502 }],
    ['garbage', { ok: false, fault: 'garbage', retry: true, status: 200 }],
  ])(
    'that takes messages and answers every clear with %s still gets each message at once',
    async (_what, fault) => {
      const driver = new Driver();
      driver.clears = fault;
      for (const project of ['one', 'two', 'three']) {
        await driver.waits(project);
        await driver.session(project, 'running');
        await driver.wait(20 * MINUTE);
        expect(driver.messages.at(-1)?.title).toBe(`Codex waiting: ${project}`);
        const at = driver.records.last?.at ?? 0;
        expect(driver.now - at).toBe(20 * MINUTE);
      }
      driver.clears = undefined;
      await driver.wait(2 * MINUTE);
      expect([...driver.shown]).toEqual([]);
    },
  );

  it('that can not take one message takes the others', async () => {
    const driver = new Driver();
    driver.answer = { ok: false, fault: 'server_error', retry: true, status: 502 };
    await driver.waits('shop');
    await driver.waits('api', { provider: 'claude' });
    await driver.wait(SECOND * 2);
    // The one that has failed is not the next one tried.
    expect(driver.server.slice(0, 2)).toEqual([
      '4 Codex waiting: shop !server_error',
      '4 Claude waiting: api !server_error',
    ]);
  });

  it('gets a clear for hours: what stands on a phone and is not true is no old news', async () => {
    const driver = new Driver();
    await driver.waits('shop');
    driver.answer = DOWN;
    await driver.session('shop', 'running');
    await driver.wait(60 * MINUTE);
    driver.answer = GOOD;
    await driver.wait(2 * MINUTE);
    expect(driver.server.at(-1)).toBe(`clear ${SHOP}`);
  });

  it('holds one message of an agent; when it answers the next one tells how many wait', async () => {
    const driver = new Driver();
    driver.answer = DOWN;
    await driver.waits('shop');
    await driver.waits('api');
    await driver.waits('docs');
    await driver.wait(MINUTE);
    driver.answer = GOOD;
    await driver.wait(MINUTE);
    expect(driver.messages.map(({ title, message }) => [title, message])).toEqual([
      ['Codex waiting: shop', 'Asks for a permission'],
      ['Codex waiting: api', 'Asks for a permission\n3 wait in all, also: docs'],
    ]);
  });
});

describe('a storm', () => {
  it('is one message in 10 s, and the next says how many wait', async () => {
    const driver = new Driver();
    for (const project of ['one', 'two', 'three', 'four', 'five', 'six']) await driver.waits(project);
    await driver.waits('other', { provider: 'claude' });
    expect(driver.server).toEqual(['4 Codex waiting: one', '4 Claude waiting: other']);
    await driver.wait(9 * SECOND);
    expect(driver.server).toHaveLength(2);
    await driver.wait(SECOND);
    expect(driver.messages.at(-1)).toMatchObject({
      title: 'Codex waiting: two',
      message: 'Asks for a permission\n6 wait in all, also: three, four, five, …',
    });
    await driver.wait(MINUTE);
    expect(driver.server).toHaveLength(3);
    expect(driver.ledger('five')).toEqual(['held storm', 'sent together']);
  });

  it.each([
    ['en', '2 wait in all'],
    ['de', 'Insgesamt warten 2'],
  ])('of two says in the second message that two wait: %s', async (language, words) => {
    const driver = new Driver({ notify: { language } });
    await driver.waits('one');
    await driver.waits('two');
    await driver.wait(10 * SECOND);
    expect(driver.messages.map(({ message }) => message.split('\n')[1])).toEqual([undefined, words]);
  });

  it('that is over but for one tells no number', async () => {
    const driver = new Driver();
    await driver.waits('one');
    await driver.waits('two');
    await driver.session('one', 'running');
    await driver.wait(10 * SECOND);
    expect(driver.messages.map(({ message }) => message.split('\n')[1])).toEqual([undefined, undefined]);
  });

  it('of one session that flaps for a minute is bounded', async () => {
    const driver = new Driver();
    for (let flap = 0; flap < 600; flap += 1) {
      await driver.waits('shop', { open: [{ id: `permission-${flap}` }] });
      await driver.wait(50);
      await driver.session('shop', 'running');
      await driver.wait(50);
    }
    expect(driver.messages.length).toBeLessThanOrEqual(7);
  });
});

describe('a clock that jumps', () => {
  const HOUR = 60 * MINUTE;
  it.each([HOUR, -HOUR, 8 * HOUR])(
    'by %i ms: nothing is told twice, nothing is lost, and a clear is none of it',
    async (jump) => {
      const driver = new Driver();
      await driver.waits('shop');
      driver.answer = DOWN;
      await driver.waits('api', { provider: 'claude' });
      const since = driver.now / 1000;
      await driver.wait(10 * SECOND);
      await driver.jump(jump);
      await driver.waits('api', { provider: 'claude', since });
      await driver.session('shop', 'running');
      driver.answer = GOOD;
      await driver.wait(MINUTE);
      const got = driver.server.filter((words) => !words.includes('!'));
      expect(got).toEqual(['4 Codex waiting: shop', '4 Claude waiting: api', `clear ${SHOP}`]);
    },
  );

  it('set back with nothing waiting delays nothing', async () => {
    const driver = new Driver();
    await driver.waits('shop');
    await driver.wait(MINUTE);
    driver.now -= HOUR;
    await driver.waits('api');
    expect(driver.server).toEqual(['4 Codex waiting: shop', '4 Codex waiting: api']);
  });
});
