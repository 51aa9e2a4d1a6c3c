import { describe, expect, it } from 'vitest';
import type { Identity } from '../../../protocol/roles.ts';
import { startBroker } from '../../support/broker.ts';
import { DISCONNECT, rawClient } from '../../support/raw-mqtt.ts';
import { until } from '../../support/until.ts';

const NOT_AUTHORIZED = 5;
const desk: Identity = { roles: ['device'], id: 'desk' };
const will = { topic: 'device/desk/state', payload: 'offline', retain: true };

describe('wills', () => {
  it.each(['hook/claude', 'hook/', 'signal/claude', 'signalbox/state', '$SYS/x', 'hook/#', '+/claude', ''])(
    'a will on %j is refused at CONNECT',
    async (topic) => {
      const { port, rejects, gated } = await startBroker();
      const client = await rawClient(port);
      expect(await client.handshake({ clientId: 'c', will: { topic, payload: 'secret' } })).toBe(
        NOT_AUTHORIZED,
      );
      await client.expectClosed();
      expect(rejects.map(({ code, info }) => [code, info.clientId])).toEqual([['not_allowed', 'c']]);
      expect(JSON.stringify(rejects)).not.toContain('secret');
      expect(gated).toEqual([]);
    },
  );

  it.each(['hook/claude', '#'])('not even the hub may leave one on %s', async (topic) => {
    const { port } = await startBroker({ identify: () => ({ roles: ['hub'] }) });
    expect(await (await rawClient(port)).handshake({ will: { topic, payload: 'x' } })).toBe(NOT_AUTHORIZED);
  });

  it('a will on a topic of its own is published when the connection breaks', async () => {
    const { port, hub } = await startBroker({ identify: () => desk });
    const subscriber = await hub();
    await subscriber.subscribe('device/+/state');
    const device = await rawClient(port);
    expect(await device.handshake({ will })).toBe(0);
    device.stream.destroy();
    expect(await subscriber.nextMessage('device/desk/state')).toMatchObject({ payload: 'offline' });
    const late = await hub();
    await late.subscribe('device/+/state');
    expect(await late.nextMessage('#')).toMatchObject({ payload: 'offline', retained: true });
  });

  it('and when nothing is heard for one and a half times the keep alive', async () => {
    const { port, hub } = await startBroker({ identify: () => desk });
    const subscriber = await hub();
    await subscriber.subscribe('device/+/state');
    const device = await rawClient(port);
    await device.handshake({ will, keepalive: 1 });
    expect((await subscriber.nextMessage('device/desk/state')).payload).toBe('offline');
    await device.expectClosed();
  });

  it('an orderly end publishes none', async () => {
    const { port, hub, broker } = await startBroker({ identify: () => desk });
    const subscriber = await hub();
    await subscriber.subscribe('device/+/state');
    const device = await rawClient(port);
    await device.handshake({ will });
    device.send(DISCONNECT);
    await until(() => broker.clients() === 1);
    await subscriber.expectSilence('#');
  });

  it('a retained will on a happening is not kept', async () => {
    const { port, hub } = await startBroker({ identify: () => desk });
    const subscriber = await hub();
    await subscriber.subscribe('device/+/event');
    const device = await rawClient(port);
    await device.handshake({ will: { ...will, topic: 'device/desk/event' } });
    device.stream.destroy();
    await subscriber.nextMessage('device/desk/event');
    const late = await hub();
    await late.subscribe('device/#');
    await late.expectSilence('device/#');
  });
});
