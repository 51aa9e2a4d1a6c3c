import { describe, expect, it } from 'vitest';
import type { NtfyOutcome } from '../../../../services/notifier/ntfy-client.ts';
import { Driver, keyOf, MINUTE, SECOND } from './desk-driver.ts';

const SHOP = `codex-${keyOf('shop')}`;
const DOWN: NtfyOutcome = { ok: false, fault: 'unreachable', retry: true };
const LIMIT: NtfyOutcome = { ok: false, fault: 'rate_limited', retry: true, status: 429, code: 42901 };
const GOOD: NtfyOutcome = { ok: true, replaces: true };
const OLD: NtfyOutcome = { ok: true, replaces: false };
const tries = (driver: Driver): number => driver.server.filter((words) => words.includes('!')).length;

describe('a server in trouble', () => {
  it.each([
    ['is down', DOWN, 8, 16],
    ['limits its visitors', LIMIT, 5, 8],
  ])(
    'that %s is asked again with growing pauses, and the message is given up after 10 min',
    async (_what, fault, few, many) => {
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
      // Nothing came to the phone, so there is nothing to clear.
      await driver.session('shop', 'running');
      expect(driver.server.at(-1)).toContain('!');
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
  it('is one message in 10 s, and the next says how many wait; each is cleared when the last of it is answered', async () => {
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
    for (const project of ['two', 'three', 'four', 'five']) await driver.session(project, 'running');
    expect(driver.server).toHaveLength(3);
    await driver.session('six', 'running');
    expect(driver.server.at(-1)).toBe(`clear codex-${keyOf('two')}`);
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

describe('an old server', () => {
  it('that knows no sequence ids is not asked to clear', async () => {
    const driver = new Driver();
    driver.answer = OLD;
    await driver.waits('shop');
    await driver.session('shop', 'running');
    expect(driver.server).toEqual(['4 Codex waiting: shop']);
  });

  it('that answers 404 to a clear is asked once, also over a restart, until it is a newer one', async () => {
    const first = new Driver();
    await first.waits('shop');
    first.answer = { ok: false, fault: 'not_supported', retry: false, status: 404 };
    await first.session('shop', 'running');
    const driver = first.again();
    await driver.wait(MINUTE);
    driver.answer = OLD;
    await driver.waits('shop');
    await driver.session('shop', 'running');
    expect(driver.server).toEqual(['4 Codex waiting: shop']);
    await driver.wait(MINUTE);
    driver.answer = GOOD;
    await driver.waits('shop');
    await driver.session('shop', 'running');
    expect(driver.server.at(-1)).toBe(`clear ${SHOP}`);
  });
});

describe('escalation', () => {
  const notify = { escalate_after: 10 };

  it('lies at the server, and the answer takes it back', async () => {
    const driver = new Driver({ notify });
    await driver.waits('shop');
    expect(driver.server).toEqual(['4 Codex waiting: shop', '5 Codex still waiting: shop in 600s']);
    expect(driver.messages[1]).toMatchObject({
      sequence_id: SHOP,
      message: 'Asks for a permission\nFor 10 min',
    });
    await driver.session('shop', 'running');
    expect(driver.server.slice(2)).toEqual([`cancel ${SHOP}`, `clear ${SHOP}`]);
  });

  it('is sent from here where the server is an old one', async () => {
    const driver = new Driver({ notify });
    driver.answer = OLD;
    await driver.waits('shop');
    await driver.wait(10 * MINUTE - SECOND);
    expect(driver.server).toHaveLength(1);
    await driver.wait(SECOND);
    expect(driver.server.slice(1)).toEqual(['5 Codex still waiting: shop']);
    await driver.wait(60 * MINUTE);
    expect(driver.server).toHaveLength(2);
  });

  it('and not at all when the wait is over by then', async () => {
    const driver = new Driver({ notify });
    driver.answer = OLD;
    await driver.waits('shop');
    await driver.session('shop', 'running');
    await driver.wait(60 * MINUTE);
    expect(driver.server).toHaveLength(1);
  });

  it.each([
    ['snoozed', (since: number) => ({ snoozed_until: since + 600 })],
    ['paused', () => ({ lamp: 'paused' as const })],
  ])('is taken back when the wait is %s', async (_what, given) => {
    const driver = new Driver({ notify });
    const since = driver.now / 1000;
    await driver.waits('shop', { since });
    await driver.waits('shop', { since, ...given(since) });
    expect(driver.server.slice(2)).toEqual([`cancel ${SHOP}`, `clear ${SHOP}`]);
  });

  it('stays away in quiet hours', async () => {
    const driver = new Driver({ notify: { ...notify, quiet_hours: { from: '12:05', to: '13:00' } } });
    await driver.waits('shop');
    expect(driver.server).toEqual(['4 Codex waiting: shop']);
    expect(driver.ledger('shop')).toEqual(['sent', 'suppressed quiet_hours']);
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
