import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { linkedPair } from '../../../runtime/linked-pair.ts';
import { startMosquitto } from '../../support/mosquitto.ts';
import { startBroker } from './aedes-broker.ts';
import { eventually, inbox, readableLog, testLink } from './test-link.ts';

it('comes back after Mosquitto was restarted without its store, with every subscription', async () => {
  const mosquitto = await startMosquitto();
  const link = testLink({ url: mosquitto.url });
  const connections: unknown[] = [];
  const lost: string[] = [];
  link.onConnect((connected) => void connections.push(connected));
  link.onLost((reason) => lost.push(reason));
  const { seen, take } = inbox();
  await link.subscribe('line', {}, take);
  await link.subscribe('lamp', { provider: 'codex' }, take);
  await eventually(() => connections, [{ first: true, sessionPresent: false }]);

  await mosquitto.stop();
  await eventually(() => link.connected, false);
  expect(lost).toEqual(['it closed the connection']);
  await mosquitto.start();
  await eventually(() => connections.length, 2);
  expect(connections[1]).toEqual({ first: false, sessionPresent: false });

  await link.publish('line', {}, 'back');
  await link.publish('lamp', { provider: 'codex' }, 'ready');
  await eventually(() => seen, ['line back', 'lamp/codex ready']);
});

it('has its subscriptions when it tells of the connection, so that what is published then comes back', async () => {
  const broker = await startBroker();
  const link = testLink({ url: broker.url });
  const { seen, take } = inbox();
  let connections = 0;
  link.onConnect(() => {
    connections += 1;
    return link.publish('line', {}, `connection ${connections}`);
  });
  await link.subscribe('line', {}, take);
  await eventually(() => seen, ['line connection 1']);
  broker.cut();
  await eventually(() => seen.includes('line connection 2'), true);
});

it('tells a late comer of a connection that stands', async () => {
  const { stream } = await startBroker();
  const link = testLink({ stream });
  await link.ready();
  await link.subscribe('line', {}, () => {});
  const told: unknown[] = [];
  link.onConnect((connected) => void told.push(connected));
  await eventually(() => told, [{ first: true, sessionPresent: false }]);
});

it('keeps what is published meanwhile: happenings in order, and of a retained topic the last value', async () => {
  const mosquitto = await startMosquitto();
  const [link, watcher] = [testLink({ url: mosquitto.url }), testLink({ url: mosquitto.url })];
  const { seen, take } = inbox();
  await watcher.subscribe('line', {}, take);
  await watcher.subscribe('signalEvent', {}, take);
  await link.ready();
  await mosquitto.stop();
  await eventually(() => [link.connected, watcher.connected], [false, false]);
  const watching = new Promise<void>((resolve) => void watcher.onConnect(() => resolve()));
  const published = [
    link.publish('line', {}, 'old'),
    link.publish('signalEvent', { provider: 'a' }, 'first'),
    link.publish('line', {}, 'new'),
    link.publish('signalEvent', { provider: 'a' }, 'second'),
  ];
  await mosquitto.start();
  await Promise.all([...published, watching]);
  await link.publish('signalEvent', { provider: 'a' }, 'last');
  await eventually(() => seen.at(-1), 'signal/a/event last');
  // The watcher may be back after what it can't be given any more; the state it finds in any case.
  const state = seen.filter((line) => line.startsWith('line')).map((line) => line.replace(' (retained)', ''));
  expect(new Set(state)).toEqual(new Set(['line new']));
  const order = ['signal/a/event first', 'signal/a/event second', 'signal/a/event last'];
  const happenings = seen.filter((line) => line.startsWith('signal'));
  expect(happenings).toEqual(order.slice(-happenings.length));
});

it('sends again what the broker had not acknowledged when the connection was cut', async () => {
  let withheld = 0;
  const broker = await startBroker({
    authorizePublish: (_client, packet, done) => {
      if (packet.topic === 'usage/codex' && withheld === 0) withheld += 1;
      else done(null);
    },
  });
  const link = testLink({ url: broker.url });
  const published = link.publish('usage', { provider: 'codex' }, { windows: [] });
  await eventually(() => withheld, 1);
  broker.cut();
  await published;
});

it('starts before its broker does, and says once that it waits', async () => {
  const mosquitto = await startMosquitto();
  await mosquitto.stop();
  const { log, lines } = readableLog();
  const link = testLink({ url: mosquitto.url, log });
  const { seen, take } = inbox();
  const subscribed = link.subscribe('line', {}, take);
  await eventually(() => lines.filter(({ level }) => level === 'debug').length > 2, true);
  expect(lines.filter(({ level }) => level !== 'debug')).toMatchObject([
    { level: 'warn', msg: 'The broker does not answer', reason: 'nothing listens there', url: mosquitto.url },
  ]);
  await mosquitto.start();
  await subscribed;
  await link.publish('line', {}, 'at last');
  await eventually(() => seen, ['line at last']);
});

it('tells a command at once that nobody listens, and a patient caller when its time is over', async () => {
  const mosquitto = await startMosquitto();
  await mosquitto.stop();
  const gone = {
    code: 'broker_unreachable',
    message: `The broker at ${mosquitto.url} does not answer: nothing listens there.`,
  };
  await expect(testLink({ url: mosquitto.url }).ready({ once: true })).rejects.toMatchObject(gone);
  await expect(testLink({ url: mosquitto.url }).ready({ withinMs: 40 })).rejects.toMatchObject(gone);
  const patient = testLink({ url: mosquitto.url });
  const ready = patient.ready();
  await mosquitto.start();
  await ready;
  expect(patient.connected).toBe(true);
});

it('tells why a broker refuses it, and is let in later', async () => {
  let open = false;
  const broker = await startBroker({
    authenticate: (_client, _user, _password, done) =>
      open ? done(null, true) : done(Object.assign(new Error('no'), { returnCode: 5 as const }), false),
  });
  const link = testLink({ url: broker.url });
  await expect(link.ready({ once: true })).rejects.toMatchObject({
    code: 'broker_unreachable',
    message: expect.stringContaining('Not authorized'),
  });
  open = true;
  await link.ready();
});

it('gives up a peer that takes the connection and says nothing, and tries again', async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket.on('error', () => {}))).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as { port: number };
  const link = testLink({ url: `mqtt://127.0.0.1:${port}`, connectTimeoutMs: 30 });
  await expect(link.ready({ withinMs: 10_000, once: true })).rejects.toMatchObject({
    message: expect.stringContaining('it takes the connection and says nothing'),
  });
  await eventually(() => sockets.length > 2, true);
});

it('drops a connection on which it reads nonsense', async () => {
  let opened = 0;
  const broker = await startBroker();
  const link = testLink({
    stream: () => {
      opened += 1;
      if (opened > 1) return broker.stream();
      const [near, far] = linkedPair();
      // A CONNACK, then a packet of the forbidden type 0.
      far.write(Buffer.from([0x20, 0x02, 0x00, 0x00, 0x00, 0x00]));
      far.resume();
      return near;
    },
  });
  const { seen, take } = inbox();
  await link.subscribe('line', {}, take);
  await link.publish('line', {}, 'healthy');
  await eventually(() => seen.includes('line healthy'), true);
  expect(opened).toBe(2);
});
