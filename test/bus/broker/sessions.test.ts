import { describe, expect, it } from 'vitest';
import { startBroker } from '../../support/broker.ts';
import { PINGREQ, rawClient, TYPE } from '../../support/raw-mqtt.ts';
import { until } from '../../support/until.ts';

const IDENTIFIER_REJECTED = 2;

describe('sessions and client ids', () => {
  it('a second client with the same id takes the place of the first [MQTT-3.1.4-2]', async () => {
    const { port, broker } = await startBroker();
    const first = await rawClient(port);
    await first.handshake({ clientId: 'same' });
    const second = await rawClient(port);
    expect(await second.handshake({ clientId: 'same' })).toBe(0);
    await first.expectClosed();
    second.send(PINGREQ);
    expect((await second.nextPacket()).type).toBe(TYPE.pingresp);
    expect(broker.clients()).toBe(1);
  });

  it("nobody takes the place of the hub's own link", async () => {
    const { port, hub } = await startBroker();
    const service = await hub({ clientId: 'aggregator' });
    expect(await (await rawClient(port)).handshake({ clientId: 'aggregator' })).toBe(IDENTIFIER_REJECTED);
    await service.subscribe('line');
    await service.publish('line', 'still here');
    expect((await service.nextMessage('line')).payload).toBe('still here');
    const successor = await hub({ clientId: 'aggregator' });
    await successor.publish('line', 'its successor may');
  });

  it('an empty id is fine for a clean session and rejected for a lasting one [MQTT-3.1.3-8]', async () => {
    const { port } = await startBroker();
    expect(await (await rawClient(port)).handshake({ clientId: '' })).toBe(0);
    const lasting = await rawClient(port);
    expect(await lasting.handshake({ clientId: '', clean: false })).toBe(IDENTIFIER_REJECTED);
    await lasting.expectClosed();
  });

  it('MQTT 5 is answered with "unacceptable protocol version"', async () => {
    const { port } = await startBroker();
    const client = await rawClient(port);
    expect(await client.handshake({ version: 5 })).toBe(1);
    await client.expectClosed();
  });

  it('a lasting session keeps its subscriptions and what was sent meanwhile, in order', async () => {
    const { connect, hub, broker } = await startBroker();
    const session = { clientId: 'tablet', clean: false };
    const first = await connect(session);
    await first.subscribe('signal/+');
    await first.close();
    const service = await hub();
    for (const count of [1, 2, 3]) await service.publish('signal/claude', `${count}`);
    const back = await connect(session);
    for (const count of [1, 2, 3]) expect((await back.nextMessage('signal/claude')).payload).toBe(`${count}`);
    await service.publish('signal/claude', 'live');
    expect((await back.nextMessage('signal/claude')).payload).toBe('live');
    await back.close();
    await until(() => broker.clients() === 1);
    const clean = await connect({ ...session, clean: true });
    await service.publish('signal/claude', 'to nobody');
    await clean.expectSilence('#');
  });

  it('a session that is away piles up a bounded number of messages, the oldest go', async () => {
    const { connect, hub } = await startBroker({ limits: { queuedMessages: 3 } });
    const session = { clientId: 'tablet', clean: false };
    const first = await connect(session);
    await first.subscribe('signal/+');
    await first.close();
    const service = await hub();
    for (let count = 1; count <= 9; count += 1) await service.publish('signal/claude', `${count}`);
    const back = await connect(session);
    for (const count of [7, 8, 9]) expect((await back.nextMessage('signal/claude')).payload).toBe(`${count}`);
    await back.expectSilence('#');
  });

  it.each([
    ['device/+/state', ['device/desk/state', 'device/lamp/state']],
    ['device/desk/state', ['device/desk/state']],
    ['device/desk/#', ['device/desk/info', 'device/desk/state']],
    ['lamp/#', ['lamp/all']],
    ['device/+/event', []],
  ])('retained messages of %s come at the subscribe', async (filter, topics) => {
    const { connect, hub } = await startBroker();
    const service = await hub();
    for (const topic of [
      'device/desk/state',
      'device/desk/info',
      'device/lamp/state',
      'device/gone/state',
      'lamp/all',
    ]) {
      await service.publish(topic, 'kept', { retain: true });
    }
    await service.publish('device/gone/state', '', { retain: true });
    const client = await connect();
    await client.subscribe(filter);
    const seen = [];
    for (const _ of topics) seen.push((await client.nextMessage('#')).topic);
    expect(seen.toSorted()).toEqual(topics);
    await client.expectSilence('#');
  });
});
