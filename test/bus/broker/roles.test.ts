import { describe, expect, it } from 'vitest';
import type { Identity } from '../../../protocol/roles.ts';
import { startBroker } from '../../support/broker.ts';
import { connect } from '../../support/mqtt-client.ts';
import { publishPacket, rawClient, TYPE } from '../../support/raw-mqtt.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Publishes with QoS 1 and tells whether it was acknowledged. */
async function mayPublish(target: number | string, topic: string): Promise<boolean> {
  const client = await rawClient(target);
  await client.handshake();
  client.send(publishPacket(topic, 'x'));
  return client.nextPacket().then(
    ({ type }) => type === TYPE.puback,
    () => false,
  );
}

describe('the roles of a broker without accounts', () => {
  it.each([
    ['hook/claude', true],
    ['usage/claude', true],
    ['hook/claude/extra', false],
    ['hook', false],
    ['signal/claude', false],
    ['signalbox/request/clear', false],
    ['signalbox/state', false],
    ['job/1/reply', false],
    ['device/desk/state', false],
    ['something/else', false],
  ])('TCP on loopback: publish on %s %s', async (topic, allowed) => {
    const { port, rejects } = await startBroker();
    expect(await mayPublish(port, topic)).toBe(allowed);
    expect(rejects.map(({ code, info }) => [code, info.params])).toEqual(
      allowed ? [] : [['not_allowed', { role: 'hook, viewer', topic }]],
    );
  });

  it.each([
    ['hook/claude', true],
    ['signalbox/request/clear', true],
    ['job/1/reply', true],
    ['signal/claude', false],
  ])('Unix socket: publish on %s %s', async (topic, allowed) => {
    const socketPath = `${temporaryFolder()}/s`;
    await startBroker({ socketPath });
    expect(await mayPublish(socketPath, topic)).toBe(allowed);
  });

  it('a client that brings a password is refused: there are no accounts', async () => {
    const { port } = await startBroker();
    expect(await (await rawClient(port)).handshake({ username: 'admin', password: 'admin' })).toBe(4);
  });

  it('in process: role hub, without being asked who it is', async () => {
    const { hub } = await startBroker({ identify: () => undefined });
    const service = await hub();
    expect(await service.subscribe('#')).toEqual([1]);
    await service.publish('signal/claude', 'x', { retain: true });
    expect((await service.nextMessage('signal/claude')).payload).toBe('x');
  });

  it('identify is told the door, the id, the name and the password', async () => {
    const asked: unknown[] = [];
    const identity: Identity = { roles: ['device'], id: 'desk' };
    const { port } = await startBroker({
      identify: (facts) => {
        asked.push({ ...facts, password: facts.password?.toString() });
        return identity;
      },
    });
    const device = await connect({ port, clientId: 'desk-1', username: 'desk', password: 'pw' });
    expect(asked).toEqual([
      { listener: 'tcp', clientId: 'desk-1', username: 'desk', password: 'pw', remoteAddress: '127.0.0.1' },
    ]);
    await device.publish('device/desk/state', 'online', { retain: true });
    expect(await device.subscribe('device/desk/set', 'device/other/set', 'session/#')).toEqual([1, 128, 128]);
    expect(await mayPublish(port, 'device/desk/set')).toBe(false);
    expect(await mayPublish(port, 'device/other/state')).toBe(false);
    // Its own branch, and still no topic of the table.
    expect(await mayPublish(port, 'device/desk/made/up')).toBe(false);
  });
});
