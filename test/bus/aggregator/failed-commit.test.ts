import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { ALERT_SETTLE } from '../../../protocol/expiry.ts';
import type { HubHealthPayload } from '../../../protocol/messages/hub.ts';
import { connect } from '../../support/mqtt-client.ts';
import { gist, type HubInProcess, startInProcess } from './hub-in-process.ts';

/** Somebody else's transaction: as long as it lasts, nothing can be committed. */
function lockDatabase({ home }: HubInProcess): () => void {
  const other = new Database(join(home, 'signalbox.db'));
  onTestFinished(() => void other.close());
  other.exec('BEGIN IMMEDIATE');
  return () => void other.exec('ROLLBACK');
}

const health = ({ bus }: HubInProcess): HubHealthPayload =>
  JSON.parse(bus.of('signalbox/health').at(-1) ?? '{}') as HubHealthPayload;

const event = (name: string, id: string, more: object = {}): string =>
  JSON.stringify({ v: 1, id, hook: { event: name, session_id: 'shop', cwd: '/srv/shop', ...more } });

it('an event that cannot be kept is not acknowledged, and taken when it comes again', async () => {
  const hub = await startInProcess();
  await hub.send('UserPromptSubmit', 'api');
  await hub.published();
  const unlock = lockDatabase(hub);
  const client = await connect({ port: hub.port });
  const closed = new Promise<void>((resolve) => client.mqtt.once('close', () => resolve()));
  let answered = false;
  client.mqtt.publish('hook/claude', event('UserPromptSubmit', 'one'), { qos: 1 }, (error) => {
    answered = error === undefined || error === null;
  });
  await closed;
  expect(answered).toBe(false);
  await expect(hub.aggregator.accept('claude', event('UserPromptSubmit', 'one'))).rejects.toMatchObject({
    code: 'not_committed',
  });

  // The bus goes on in memory, and says what is wrong.
  expect((await hub.published()).map(gist)).toContain('signal/claude running 2 active 0');
  expect(health(hub)).toMatchObject({
    status: 'degraded',
    problems: ['not_committed'],
    events: { accepted: 1 },
  });
  expect(health(hub).commits.failed).toBeGreaterThan(0);

  unlock();
  const again = await connect({ port: hub.port });
  await again.publish('hook/claude', event('UserPromptSubmit', 'one'));
  await again.publish('hook/claude', event('UserPromptSubmit', 'one'));
  await hub.published();
  expect(health(hub)).toMatchObject({ status: 'ok', problems: [] });
  expect(hub.store.lastEvents()).toMatchObject([{ event: 'UserPromptSubmit', count: 2 }]);
  expect(hub.store.sessions().map(({ session_id }) => session_id)).toEqual(['api', 'shop']);
});

it('of a group that cannot be kept nothing is taken, and each is taken once when all come again', async () => {
  const hub = await startInProcess();
  const unlock = lockDatabase(hub);
  const events = ['one', 'two', 'one', 'three'].map((id) =>
    event('PreToolUse', id, { tool_name: 'Bash', tool_use_id: id }),
  );
  const refused = hub.aggregator.accept('claude', 'no JSON');
  const outcomes = await Promise.allSettled([
    refused,
    ...events.map((body) => hub.aggregator.accept('claude', body)),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => 'rejected'));
  // A refusal that is not on disk is not told either: its sender has no answer yet.
  await hub.published();
  expect(hub.bus.of('signalbox/reject')).toEqual([]);
  unlock();
  await Promise.all(events.map((body) => hub.aggregator.accept('claude', body)));
  expect(hub.store.lastEvents()).toMatchObject([{ event: 'PreToolUse', count: 3 }]);
});

it('what time changes while the disk is full is kept for the next commit', async () => {
  const hub = await startInProcess();
  await hub.send('PermissionRequest', 'shop', { tool_name: 'Bash' });
  const unlock = lockDatabase(hub);
  hub.clock.advance(ALERT_SETTLE);
  expect((await hub.published()).map(gist)).toContain('signal/claude needs_user 1 permission 1');
  expect(hub.store.providers()).toMatchObject([{ slug: 'claude', alert: 0 }]);
  unlock();
  // It takes any event: of another provider, or one that is refused.
  await hub.aggregator.accept('codex', 'no JSON');
  expect(hub.store.providers()).toMatchObject([{ slug: 'claude', alert: 1 }]);
  expect(hub.store.sessions()[0]?.alert_due).toBeUndefined();
});
