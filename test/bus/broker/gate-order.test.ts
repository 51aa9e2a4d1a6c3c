import { describe, expect, it } from 'vitest';
import type { GatedPublish } from '../../../broker/options.ts';
import { startBroker } from '../../support/broker.ts';
import { DISCONNECT, PINGREQ, publishPacket, pubrelPacket, rawClient, TYPE } from '../../support/raw-mqtt.ts';
import { until } from '../../support/until.ts';

/** A gate that is opened by hand, one publish at a time. */
function manualGate() {
  const held: { publish: GatedPublish; commit: (bytes?: string) => void; fail: () => void }[] = [];
  const gate = (publish: GatedPublish): Promise<Uint8Array> =>
    new Promise((resolve, reject) => {
      held.push({
        publish,
        commit: (bytes = 'cut') => resolve(Buffer.from(bytes)),
        fail: () => reject(new Error('disk full')),
      });
    });
  const heldAt = (index: number) => {
    const entry = held[index];
    if (entry === undefined) throw new Error(`nothing at ${index} in the gate`);
    return entry;
  };
  return { gate, held, heldAt };
}

describe('the publish gate', () => {
  it('holds the PUBACK until the event is dealt with', async () => {
    const { gate, held, heldAt } = manualGate();
    const { port } = await startBroker({ gate });
    const client = await rawClient(port);
    await client.handshake();
    client.send(publishPacket('hook/claude', '{"raw":1}', { id: 7 }), PINGREQ);
    // The PINGRESP comes although it was asked for later: nothing but the acknowledgement waits.
    expect((await client.nextPacket()).type).toBe(TYPE.pingresp);
    await until(() => held.length === 1);
    expect(heldAt(0).publish).toMatchObject({ topic: 'hook/claude', params: { provider: 'claude' } });
    expect(Buffer.from(heldAt(0).publish.payload).toString()).toBe('{"raw":1}');
    heldAt(0).commit();
    expect(await client.nextPacket()).toEqual({ type: TYPE.puback, flags: 0, body: Buffer.from([0, 7]) });
  });

  it('acknowledges in order of arrival, whatever order the gate answers in [MQTT-4.6.0-2]', async () => {
    const { gate, held, heldAt } = manualGate();
    const { port } = await startBroker({ gate, identify: () => ({ roles: ['hub'] }) });
    const client = await rawClient(port);
    await client.handshake();
    client.send(
      publishPacket('hook/claude', 'a', { id: 1 }),
      publishPacket('hook/codex', 'b', { id: 2 }),
      publishPacket('usage/claude', 'not gated, and in its turn all the same', { id: 3 }),
      publishPacket('hook/claude', 'c', { id: 4 }),
    );
    await until(() => held.length === 3);
    heldAt(2).commit();
    heldAt(1).commit();
    heldAt(0).commit();
    const ids = [];
    for (let count = 0; count < 4; count += 1) ids.push((await client.nextPacket()).body.readUInt16BE(0));
    expect(ids).toEqual([1, 2, 3, 4]);
  });

  it('delivers what the gate put in the place of the payload, in the order of commits', async () => {
    const { gate, held, heldAt } = manualGate();
    const { hub, connect } = await startBroker({ gate });
    const subscriber = await hub();
    await subscriber.subscribe('hook/+');
    const [one, other] = [await connect(), await connect()];
    const first = one.publish('hook/claude', 'raw secret 1');
    await until(() => held.length === 1);
    const second = other.publish('hook/codex', 'raw secret 2');
    await until(() => held.length === 2);
    heldAt(1).commit('cut 2');
    await second;
    expect((await subscriber.nextMessage('#')).payload).toBe('cut 2');
    heldAt(0).commit('cut 1');
    await first;
    expect(await subscriber.nextMessage('#')).toMatchObject({ topic: 'hook/claude', payload: 'cut 1' });
  });

  it('lets one sender wait without holding up another', async () => {
    const { gate, held, heldAt } = manualGate();
    const { connect } = await startBroker({ gate });
    const [slow, fast] = [await connect(), await connect()];
    const waiting = slow.publish('hook/claude', 'slow');
    await until(() => held.length === 1);
    const quick = fast.publish('hook/claude', 'quick');
    await until(() => held.length === 2);
    heldAt(1).commit();
    await quick;
    heldAt(0).commit();
    await waiting;
  });

  it('closes the connection without an acknowledgement when the commit fails, and serves the next one', async () => {
    const { gate, held, heldAt } = manualGate();
    const { port, connect } = await startBroker({ gate });
    const client = await rawClient(port);
    await client.handshake();
    client.send(
      publishPacket('hook/claude', 'committed', { id: 1 }),
      publishPacket('hook/claude', 'lost', { id: 2 }),
      publishPacket('hook/claude', 'too late', { id: 3 }),
    );
    await until(() => held.length === 3);
    heldAt(1).fail();
    heldAt(2).commit();
    heldAt(0).commit();
    expect((await client.nextPacket()).body.readUInt16BE(0)).toBe(1);
    await client.expectClosed();

    const again = await connect();
    const published = again.publish('hook/claude', 'again');
    await until(() => held.length === 4);
    heldAt(3).commit();
    await published;
  });

  it('closes the connection when the gate throws instead of rejecting', async () => {
    const { port } = await startBroker({
      gate: () => {
        throw new Error('a bug');
      },
    });
    const client = await rawClient(port);
    await client.handshake();
    client.send(publishPacket('hook/claude', 'x'));
    await client.expectClosed();
  });

  it('commits the event of a sender that is gone before its PUBACK', async () => {
    const { gate, held, heldAt } = manualGate();
    const { port, broker } = await startBroker({ gate });
    const client = await rawClient(port);
    await client.handshake();
    client.send(publishPacket('hook/claude', 'last words'), DISCONNECT);
    await until(() => held.length === 1 && broker.clients() === 0);
    heldAt(0).commit();
    expect(Buffer.from(heldAt(0).publish.payload).toString()).toBe('last words');
  });

  it('gates and delivers a QoS 0 publish too', async () => {
    const { gated, hub, connect } = await startBroker();
    const subscriber = await hub();
    await subscriber.subscribe('hook/+');
    await (await connect()).publish('hook/claude', 'raw', { qos: 0 });
    expect((await subscriber.nextMessage('hook/claude')).payload).toBe('{"cut":"down"}');
    expect(gated).toHaveLength(1);
  });

  it('works with a prefix, and only below it', async () => {
    const { gated, connect, hub } = await startBroker({ prefix: 'team/alice' });
    await (await connect()).publish('team/alice/hook/codex', 'x');
    await (await hub()).publish('hook/codex', 'no topic of this hub');
    expect(gated.map(({ topic, params }) => [topic, params])).toEqual([
      ['team/alice/hook/codex', { provider: 'codex' }],
    ]);
  });

  it('holds a bounded number of a flooding sender', async () => {
    const { gate, held } = manualGate();
    const { port } = await startBroker({ gate, limits: { stopMs: 20 } });
    const client = await rawClient(port);
    await client.handshake();
    const event = publishPacket('hook/claude', Buffer.alloc(200, 'x'));
    for (let round = 0; round < 20; round += 1) client.send(...Array.from({ length: 1_000 }, () => event));
    await until(() => held.length > 0);
    const other = await rawClient(port);
    await other.handshake();
    for (let round = 0; round < 50; round += 1) {
      other.send(PINGREQ);
      await other.nextPacket();
    }
    expect(held.length).toBeLessThan(2_000);
  });
});

describe('QoS 2 through the gate', () => {
  it('is gated once, however often it is sent before its PUBREL', async () => {
    const { port, gated } = await startBroker();
    const client = await rawClient(port);
    await client.handshake();
    client.send(publishPacket('hook/claude', 'once', { qos: 2, id: 5 }));
    expect((await client.nextPacket()).type).toBe(TYPE.pubrec);
    client.send(publishPacket('hook/claude', 'once', { qos: 2, id: 5, dup: true }));
    expect((await client.nextPacket()).type).toBe(TYPE.pubrec);
    client.send(pubrelPacket(5));
    expect((await client.nextPacket()).type).toBe(TYPE.pubcomp);
    expect(gated).toHaveLength(1);
    client.send(publishPacket('hook/claude', 'a new one', { qos: 2, id: 5 }));
    expect((await client.nextPacket()).type).toBe(TYPE.pubrec);
    expect(gated).toHaveLength(2);
  });

  it('is gated once and delivered once when the session comes back while it is in the gate', async () => {
    const { gate, held, heldAt } = manualGate();
    const { port, hub, broker } = await startBroker({ gate });
    const subscriber = await hub();
    await subscriber.subscribe('hook/+');
    const session = { clientId: 'sender', clean: false };
    const first = await rawClient(port);
    await first.handshake(session);
    first.send(publishPacket('hook/claude', 'once', { qos: 2, id: 5 }));
    await until(() => held.length === 1);
    first.stream.destroy();
    await until(() => broker.clients() === 1);
    const second = await rawClient(port);
    await second.handshake(session);
    second.send(publishPacket('hook/claude', 'once', { qos: 2, id: 5, dup: true }), PINGREQ);
    expect((await second.nextPacket()).type).toBe(TYPE.pingresp);
    heldAt(0).commit('cut');
    expect((await second.nextPacket()).type).toBe(TYPE.pubrec);
    expect((await subscriber.nextMessage('hook/claude')).payload).toBe('cut');
    await subscriber.expectSilence('hook/claude');
    expect(held).toHaveLength(1);
  });
});
