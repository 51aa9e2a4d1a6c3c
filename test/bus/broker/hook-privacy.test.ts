import { describe, expect, it } from 'vitest';
import type { Identity } from '../../../protocol/roles.ts';
import { startBroker } from '../../support/broker.ts';

describe('who sees hook events', () => {
  it.each(['hook/+', 'hook/claude', 'hook/#', 'usage/+', 'homeassistant/#', 'evidence/+'])(
    'a viewer is refused %s',
    async (filter) => {
      const { connect } = await startBroker();
      expect(await (await connect()).subscribe(filter)).toEqual([128]);
    },
  );

  it.each(['#', '+/+', '+/claude', '+/#'])(
    'a viewer with %s sees what it may and no hook event',
    async (filter) => {
      const { connect, hub } = await startBroker();
      const viewer = await connect();
      expect(await viewer.subscribe(filter)).toEqual([1]);
      const service = await hub();
      await service.publish('hook/claude', 'secret');
      await service.publish('usage/claude', 'secret');
      await service.publish('homeassistant/status', 'online');
      await service.publish('evidence/claude', 'secret');
      await service.publish('signal/claude', 'for everybody');
      expect(await viewer.nextMessage('#')).toMatchObject({
        topic: 'signal/claude',
        payload: 'for everybody',
      });
      await viewer.expectSilence('#');
    },
  );

  it('a retained message is checked on delivery too', async () => {
    const { connect, hub } = await startBroker();
    const service = await hub();
    await service.publish('homeassistant/sensor/x/config', '{}', { retain: true });
    await service.publish('device/desk/set', '{}', { retain: true });
    await service.publish('lamp/all', 'idle', { retain: true });
    const viewer = await connect();
    await viewer.subscribe('#');
    const seen = [await viewer.nextMessage('#'), await viewer.nextMessage('#')];
    expect(seen.map(({ topic }) => topic).toSorted()).toEqual(['device/desk/set', 'lamp/all']);
    await viewer.expectSilence('#');
  });

  it.each([
    ['hook/claude', 'a hook event'],
    ['usage/claude', 'a usage report'],
  ])('%s published as retained is not kept', async (topic) => {
    const { connect, hub } = await startBroker();
    const early = await hub();
    await early.subscribe('#');
    await (await connect()).publish(topic, 'x', { retain: true });
    expect(await early.nextMessage(topic)).toMatchObject({ retained: false });
    const late = await hub();
    await late.subscribe('#');
    await late.expectSilence(topic);
  });

  it('a command is never kept: it would be carried out again at every start', async () => {
    const { hub } = await startBroker();
    await (await hub()).publish('signalbox/request/clear', '{}', { retain: true });
    const late = await hub();
    await late.subscribe('#');
    await late.expectSilence('signalbox/#');
  });

  it('queues nothing it refused for a viewer that is away', async () => {
    let identity: Identity = { roles: ['viewer'] };
    const { connect, hub } = await startBroker({ identify: () => identity });
    const session = { clientId: 'tablet', clean: false };
    const viewer = await connect(session);
    expect(await viewer.subscribe('hook/+', 'homeassistant/#', 'signal/+')).toEqual([128, 128, 1]);
    await viewer.close();
    const service = await hub();
    await service.publish('hook/claude', 'secret');
    await service.publish('homeassistant/status', 'secret');
    await service.publish('signal/claude', 'for everybody');
    // With all rights the session would be given whatever is in its queue.
    identity = { roles: ['hub'] };
    const back = await connect(session);
    expect(await back.nextMessage('#')).toMatchObject({ topic: 'signal/claude' });
    await back.expectSilence('#');
  });
});
