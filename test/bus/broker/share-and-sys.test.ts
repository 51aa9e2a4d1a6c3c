import { describe, expect, it } from 'vitest';
import { startBroker } from '../../support/broker.ts';
import { publishPacket, rawClient } from '../../support/raw-mqtt.ts';

describe('what Aedes would grant and never serve, or tell everybody', () => {
  it.each(['$share/group/signal/claude', '$SYS/#', '$SYS/+/new/clients', '$queue/signal/claude'])(
    'a subscription to %s is refused, for the hub too, and the others of its packet are granted',
    async (filter) => {
      const { hub, connect } = await startBroker();
      expect(await (await connect()).subscribe(filter, 'signal/+')).toEqual([128, 1]);
      expect(await (await hub()).subscribe(filter, '#')).toEqual([128, 1]);
    },
  );

  it('nobody hears of other clients', async () => {
    const { hub, connect } = await startBroker();
    const listener = await hub();
    await listener.subscribe('#', '+/#', '+/+/new/clients');
    await (await connect()).close();
    await listener.expectSilence('#');
    await listener.expectSilence('$SYS/#');
  });

  it('a publish on $SYS closes the connection', async () => {
    const { port, rejects } = await startBroker({ identify: () => ({ roles: ['hub'] }) });
    const client = await rawClient(port);
    await client.handshake();
    client.send(publishPacket('$SYS/x/new/clients', 'x'));
    await client.expectClosed();
    expect(rejects.map(({ code }) => code)).toEqual(['not_allowed']);
  });

  it('a packet of invalid filters closes the connection and nothing else', async () => {
    const { port, connect } = await startBroker();
    const bystander = await connect();
    const client = await rawClient(port);
    await client.handshake();
    client.send(publishPacket('hook/#', 'x'));
    await client.expectClosed();
    expect(await bystander.subscribe('line')).toEqual([1]);
  });
});
