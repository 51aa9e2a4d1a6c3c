import { describe, expect, it } from 'vitest';
import type { NtfyOutcome } from '../../../../services/notifier/ntfy-client.ts';
import { Driver, keyOf, MINUTE, SECOND } from './desk-driver.ts';

const SHOP = `codex-${keyOf('shop')}`;
const GOOD: NtfyOutcome = { ok: true, replaces: true };
const OLD: NtfyOutcome = { ok: true, replaces: false };

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

  it.each([60 * MINUTE, -60 * MINUTE])('keeps its distance when the clock jumps by %i ms', async (jump) => {
    const driver = new Driver({ notify });
    driver.answer = OLD;
    await driver.waits('shop');
    await driver.wait(MINUTE);
    await driver.jump(jump);
    await driver.wait(9 * MINUTE - SECOND);
    expect(driver.server).toHaveLength(1);
    await driver.wait(SECOND);
    expect(driver.server.slice(1)).toEqual(['5 Codex still waiting: shop']);
  });

  it('that was due while no hub ran is sent once its session is heard of', async () => {
    const first = new Driver({ notify });
    first.answer = OLD;
    const since = first.now / 1000;
    await first.waits('shop', { since });
    first.now += 11 * MINUTE;
    const driver = first.again({ notify });
    driver.answer = OLD;
    await driver.wait(SECOND);
    expect([driver.server, driver.desk.nextLook()]).toEqual([[], undefined]);
    await driver.waits('shop', { since }, false);
    await driver.wait(60 * MINUTE);
    expect(driver.server).toEqual(['5 Codex still waiting: shop']);
  });

  it('stays away in quiet hours', async () => {
    const driver = new Driver({ notify: { ...notify, quiet_hours: { from: '12:05', to: '13:00' } } });
    await driver.waits('shop');
    expect(driver.server).toEqual(['4 Codex waiting: shop']);
    expect(driver.ledger('shop')).toEqual(['sent', 'suppressed quiet_hours']);
  });
});
