import { describe, expect, it, vi } from 'vitest';
import { statsData, type StatsData } from '../../../protocol/messages/stats.ts';
import type { ResponsePayload } from '../../../protocol/messages/request.ts';
import { Asker } from '../../../runtime/asker.ts';
import { type AskedHub, startAgain, startAsked } from './asking.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function stats(response: ResponsePayload): StatsData {
  return statsData.parse(response.ok && response.data);
}

/** A session asks for a permission, and gets its answer after some time. */
async function asks(hub: AskedHub, session: string, afterMs: number): Promise<void> {
  await hub.send('PermissionRequest', session, { tool_name: 'Bash' });
  hub.clock.advance(afterMs);
  await hub.send('PostToolUse', session, { tool_name: 'Bash' });
}

describe('stats', () => {
  it('tells how long agents waited, by day, project and reason', async () => {
    const hub = await startAsked();
    expect(stats(await hub.ask('stats'))).toMatchObject({ open: 0, total: { waits: 0 }, by_project: [] });
    await asks(hub, 'shop', 3 * MINUTE);
    await asks(hub, 'api', MINUTE);
    await hub.send('PreToolUse', 'shop', { tool_name: 'AskUserQuestion' });
    hub.clock.advance(2 * MINUTE);
    const found = stats(await hub.ask('stats', { days: 2 }));
    expect(found).toMatchObject({
      v: 1,
      days: 2,
      kept_days: 30,
      to: Math.floor(hub.clock.now() / 1000),
      since: Math.floor(hub.clock.now() / 1000) - 360,
      open: 1,
      total: { waits: 3, waited_s: 360, any_s: 360, longest_s: 180, median_s: 120, expired: 0 },
      by_project: [
        { project: 'shop', waits: 2, waited_s: 300 },
        { project: 'api', waits: 1, waited_s: 60 },
      ],
      by_reason: [
        { reason: 'permission_request', waits: 2, waited_s: 240 },
        { reason: 'question', waits: 1, waited_s: 120 },
      ],
    });
    expect(found.by_day).toHaveLength(2);
    expect(found.zone).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
  });

  it('gives whoever polls the same again for some seconds, and says of when it is', async () => {
    const hub = await startAsked();
    const asker = new Asker({ link: hub.link, clock: hub.clock, where: () => 'the bus' });
    const polled = async (days = 7): Promise<StatsData> =>
      statsData.parse(await asker.ask('stats', { days, by: { role: 'viewer', how: 'http' } }));
    const first = await polled();
    await hub.send('PermissionRequest', 'shop', { tool_name: 'Bash' });
    hub.clock.advance(4_000);
    expect(await polled()).toEqual(first);
    expect([first.open, first.to]).toEqual([0, Math.floor(hub.clock.now() / 1000) - 4]);
    // Of another range, or for the user, it is as it is now.
    expect((await polled(1)).open).toBe(1);
    expect(stats(await hub.ask('stats', { days: 7 })).open).toBe(1);
    hub.clock.advance(1_000);
    expect(await polled()).toMatchObject({ open: 1, to: first.to + 5 });
  });

  it('counts each wait once, over restarts in its middle', async () => {
    let hub = await startAsked();
    await asks(hub, 'shop', MINUTE);
    hub.clock.advance(MINUTE);
    await hub.send('PermissionRequest', 'shop', { tool_name: 'Bash' });
    for (let restart = 0; restart < 2; restart += 1) {
      hub = await startAgain(hub, 5 * MINUTE);
      expect(stats(await hub.ask('stats')).total).toMatchObject({ waits: 2 });
    }
    await hub.send('PostToolUse', 'shop', { tool_name: 'Bash' });
    expect(stats(await hub.ask('stats'))).toMatchObject({
      open: 0,
      total: { waits: 2, waited_s: 660, longest_s: 600 },
    });
    expect(hub.store.spansSince('needs_user', 0)).toHaveLength(2);
  });

  it('tells of a wait that nobody answered', async () => {
    const hub = await startAsked();
    await hub.send('PermissionRequest', 'shop', { tool_name: 'Bash' });
    hub.clock.advance(3 * HOUR);
    expect(stats(await hub.ask('stats')).total).toMatchObject({ waits: 1, waited_s: 3_600, expired: 1 });
  });

  it('ends a wait with the user’s word', async () => {
    const hub = await startAsked();
    await hub.send('PermissionRequest', 'shop', { tool_name: 'Bash' });
    hub.clock.advance(MINUTE);
    await hub.ask('ack');
    hub.clock.advance(10 * MINUTE);
    expect(stats(await hub.ask('stats'))).toMatchObject({ open: 0, total: { waits: 1, waited_s: 60 } });
  });

  it('says where a day begins by the clock of its own machine', async () => {
    vi.stubEnv('TZ', 'Asia/Tokyo');
    try {
      const hub = await startAsked();
      const { from, zone, by_day } = stats(await hub.ask('stats', { days: 1 }));
      expect([zone, (from + 9 * 3_600) % 86_400, by_day.length]).toEqual(['Asia/Tokyo', 0, 1]);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it.each([0, -1, 1.5, 367, '7', null])('does not take %j for a number of days', async (days) => {
    const { ask } = await startAsked();
    expect(await ask('stats', { days })).toMatchObject({ ok: false, error: { code: 'bad_shape' } });
  });

  it('fits one message, with a year and more projects than that holds', async () => {
    const { ask, store, clock } = await startAsked();
    const spans = Array.from({ length: 3_000 }, (_, index) => ({
      provider: 'claude',
      key: index.toString(16).padStart(12, '0'),
      project: `${'🦀'.repeat(36)}${index % 300}`,
      state: 'needs_user' as const,
      reason: `reason_${index % 20}`,
      by_user: false,
      started_at: clock.now() - (index % 366) * 24 * HOUR - MINUTE,
      ended_at: clock.now() - (index % 366) * 24 * HOUR,
      ended_by: 'tool_use',
    }));
    store.commit({ spans });
    const found = stats(await ask('stats', { days: 366 }));
    expect([found.by_day.length, found.by_project.length, found.left_out]).toEqual([366, 40, 260]);
    expect(Buffer.byteLength(JSON.stringify(found))).toBeLessThan(60_000);
  });
});

it('what the disk would not take is written with the next group, once', async () => {
  const hub = await startAsked();
  const { default: Database } = await import('better-sqlite3');
  await hub.send('PermissionRequest', 'shop', { tool_name: 'Bash' });
  const other = new Database(`${hub.home}/signalbox.db`);
  other.exec('BEGIN IMMEDIATE');
  hub.clock.advance(MINUTE);
  await expect(hub.send('PostToolUse', 'shop', { tool_name: 'Bash' })).rejects.toMatchObject({
    code: 'not_committed',
  });
  other.exec('ROLLBACK');
  other.close();
  await hub.send('PostToolUse', 'shop', { tool_name: 'Bash' });
  await hub.send('UserPromptSubmit', 'shop');
  expect(hub.store.spansSince('needs_user', 0)).toMatchObject([{ reason: 'permission_request' }]);
});
