import { expect, it, vi } from 'vitest';
import type { HubHealthPayload } from '../../protocol/messages/hub.ts';
import { type BusViewer, viewBus } from '../support/bus-viewer.ts';
import { readHubDatabase } from '../support/hub-database.ts';
import { startHub } from '../support/hub.ts';
import { connect, type TestClient } from '../support/mqtt-client.ts';
import { shell } from '../support/shell.ts';
import { until } from '../support/until.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 120_000 });

/** No file may grow above this [KiB]: as on a full disk, the database can't be written any further. */
const LIMIT = 400;
const WITH_LIMIT = ['bash', '-c', `trap '' XFSZ; ulimit -S -f ${LIMIT}; exec "$@"`, 'bash'];

const eventOf = (number: number): string =>
  JSON.stringify({
    v: 1,
    id: `event-${number}`,
    hook: { event: 'PreToolUse', session_id: `session-${number}`, cwd: `/srv/${number}`, tool_name: 'Bash' },
  });

const health = (bus: BusViewer): HubHealthPayload =>
  JSON.parse(bus.last('signalbox/health') ?? '{}') as HubHealthPayload;

/** Publishes events until one is not acknowledged and the connection closed instead. @returns its number */
async function publishUntilClosed(client: TestClient): Promise<number> {
  const closed = new Promise<true>((resolve) => client.mqtt.once('close', () => resolve(true)));
  for (let number = 1; ; number += 1) {
    const published = client.publish('hook/claude', eventOf(number)).then(() => false);
    published.catch(() => undefined);
    if (await Promise.race([closed, published])) return number;
  }
}

it('acknowledges nothing that is not kept on a full disk, says so, and goes on when there is room', async () => {
  const hub = await startHub({ under: WITH_LIMIT });
  const bus = await viewBus({ port: hub.mqtt_port });
  const client = await connect({ port: hub.mqtt_port });
  const refused = await publishUntilClosed(client);

  const kept = readHubDatabase(hub.home).events.map(({ id }) => id);
  expect(kept).toEqual(Array.from({ length: refused - 1 }, (_, index) => `event-${index + 1}`));
  await until(() => health(bus).status === 'degraded');
  expect(health(bus)).toMatchObject({ problems: ['not_committed'], events: { accepted: refused - 1 } });
  const answer = await fetch(`${hub.url}/hook/claude`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: eventOf(refused),
  });
  expect([answer.status, await answer.json()]).toMatchObject([
    503,
    { ok: false, error: { code: 'not_committed' } },
  ]);
  // The bus goes on in memory.
  const late = await viewBus({ port: hub.mqtt_port });
  await late.untilSignal('claude', ({ attention }) => attention.count === refused);

  await shell('prlimit', ['--pid', String(hub.pid), '--fsize=unlimited']);
  const again = await connect({ port: hub.mqtt_port });
  for (let next = refused; next < refused + 3; next += 1) {
    await again.publish('hook/claude', eventOf(next));
    // Sent twice, as by a sender that missed the answer.
    await again.publish('hook/claude', eventOf(next));
  }
  await until(() => health(bus).status === 'ok');
  const { events, sessions } = readHubDatabase(hub.home);
  expect(events.map(({ id }) => id)).toEqual(
    Array.from({ length: refused + 2 }, (_, index) => `event-${index + 1}`),
  );
  expect(sessions).toHaveLength(refused + 2);

  await hub.end('SIGKILL');
  const third = await startHub({ home: hub.home });
  const after = await viewBus({ port: third.mqtt_port });
  await after.untilSignal('claude', ({ attention }) => attention.count === refused + 2);
});
