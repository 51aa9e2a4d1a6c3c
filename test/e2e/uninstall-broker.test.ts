import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { viewBus } from '../support/bus-viewer.ts';
import { startHub } from '../support/hub.ts';
import { listing } from '../support/listing.ts';
import { type Mosquitto, startMosquitto } from '../support/mosquitto.ts';
import { connect } from '../support/mqtt-client.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 240_000 });

/** None of this machine's own service manager. */
const env = { PATH: '/usr/bin:/bin' };
const SESSION = JSON.stringify({ event: 'PermissionRequest', session_id: 'one', cwd: '/srv/shop' });

/** What a broker has retained. */
async function retainedAt({ url }: Mosquitto): Promise<string[]> {
  const viewer = await viewBus({ url });
  const last = await connect({ url });
  // Whatever was retained is here before an echo of our own.
  await last.publish('echo', 'here', { qos: 1 });
  await until(() => viewer.last('echo') === 'here');
  const topics = viewer.seen.filter(({ retained }) => retained).map(({ topic }) => topic);
  await Promise.all([viewer.close(), last.close()]);
  return topics.sort();
}

/** Whether it keeps a session for a hub's hook events. */
async function keepsSession({ url }: Mosquitto, hubId: string, prefix = ''): Promise<boolean> {
  const client = await connect({ url, clientId: `signalbox-${hubId}-hooks`, clean: false });
  // MQTT.js tells it by the packet alone, which has come by now; a topic of a kept session is heard without subscribing.
  const other = await connect({ url });
  await client.subscribe('echo');
  await other.publish(`${prefix}hook/claude`, '{}', { qos: 1 });
  await other.publish('echo', 'here', { qos: 1 });
  await client.nextMessage('echo');
  const heard = client.messages.some(({ topic }) => topic === `${prefix}hook/claude`);
  await Promise.all([client.close(), other.close()]);
  return heard;
}

/** Somebody else's message, and a session of an agent. */
async function useBroker({ url }: Mosquitto, prefix = ''): Promise<void> {
  const client = await connect({ url });
  await client.publish('home/lamp', 'on', { qos: 1, retain: true });
  await client.publish(`${prefix}hook/claude`, SESSION, { qos: 1 });
  await client.publish(`${prefix}device/desk/state`, 'online', { qos: 1, retain: true });
  await until(async () =>
    (await retainedAt({ url } as Mosquitto)).some((topic) => topic.includes('session/claude/')),
  );
  await client.close();
}

describe('signalbox uninstall with another broker', () => {
  it.each([
    ['', []],
    ['team/alice/', ['--prefix', 'team/alice']],
  ])('leaves nothing of ours under %j, and nothing of others goes', async (prefix, args) => {
    const broker = await startMosquitto();
    const home = temporaryFolder();
    const hub = await startHub({ home, args: ['--broker-url', broker.url, ...args] });
    await useBroker(broker, prefix);
    const { status } = await runCli(['uninstall', '--yes'], { home, env });
    expect(status).toBe(0);
    expect(await retainedAt(broker)).toEqual(['home/lamp']);
    expect(await hub.end('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(await keepsSession(broker, hub.hub_id, prefix)).toBe(false);
  });

  it('clears after a hub that was killed, by the settings alone, and deletes data only when that is done', async () => {
    const broker = await startMosquitto({ persistent: true });
    const home = temporaryFolder();
    writeFileSync(join(home, 'config.toml'), `[broker]\nurl = "${broker.url}"\n`);
    const hub = await startHub({ home });
    await useBroker(broker);
    await hub.end('SIGKILL');
    // Its last word, kept from a time at which the broker could not hear of its end.
    const client = await connect({ url: broker.url });
    await client.publish('signalbox/state', 'online', { qos: 1, retain: true });
    await client.close();
    expect(await keepsSession(broker, hub.hub_id)).toBe(true);
    await broker.stop();

    const away = await runCli(['uninstall', '--data', '--yes'], { home, env });
    expect(away.status).toBe(1);
    expect(away.stderr).toContain('could not be cleared');
    expect(away.stdout).toContain('Data and settings are kept');
    expect(existsSync(join(home, 'signalbox.db'))).toBe(true);

    await broker.start();
    const { status } = await runCli(['uninstall', '--data', '--yes'], { home, env });
    expect(status).toBe(0);
    expect(await retainedAt(broker)).toEqual(['home/lamp']);
    expect(listing(home)).toEqual([]);
    expect(await keepsSession(broker, hub.hub_id)).toBe(false);
  });

  it('leaves what another hub has there that is online under the same prefix', async () => {
    const broker = await startMosquitto();
    const home = temporaryFolder();
    const args = ['--broker-url', broker.url];
    const own = await startHub({ home, args });
    await own.end('SIGTERM');
    const other = await startHub({ args });
    await useBroker(broker);
    const before = await retainedAt(broker);
    const { status, stdout } = await runCli(['uninstall', '--yes', ...args], { home, env });
    expect(status).toBe(0);
    expect(stdout).toContain(`Another hub (${other.hub_id}) is online`);
    expect(await retainedAt(broker)).toEqual(before);
    expect(await keepsSession(broker, own.hub_id)).toBe(false);
  });
});
