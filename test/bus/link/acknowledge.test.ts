import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { startMosquitto } from '../../support/mosquitto.ts';
import { eventually, inbox, readableLog, testLink } from './test-link.ts';

const persistent = { clean: false, clientId: 'aggregator' };
const text = ({ payload }: { payload: Uint8Array }): string => Buffer.from(payload).toString();

it('acknowledges after the work, so that the broker keeps what was not dealt with', async () => {
  const { url } = await startMosquitto();
  const started: string[] = [];
  const first = testLink({
    url,
    ...persistent,
    closeTimeoutMs: 50,
    acknowledge: (message) => {
      started.push(text(message));
      return new Promise(() => {});
    },
  });
  await first.subscribe('hook', {}, () => {});
  const sender = testLink({ url });
  for (const word of ['one', 'two', 'three']) await sender.publish('hook', { provider: 'claude' }, word);
  await eventually(() => started, ['one']);
  await first.close();

  const done: string[] = [];
  const connected: unknown[] = [];
  const second = testLink({
    url,
    ...persistent,
    acknowledge: async (message) => void done.push(text(message)),
  });
  second.onConnect((info) => void connected.push(info));
  await eventually(() => done, ['one', 'two', 'three']);
  await eventually(() => connected, [{ first: true, sessionPresent: true }]);
});

it('drops the connection when the work fails, and gets everything from there on again, in order', async () => {
  const { url } = await startMosquitto();
  const { log, lines } = readableLog();
  const tried: string[] = [];
  let broken = 3;
  const link = testLink({
    url,
    ...persistent,
    log,
    acknowledge: async (message) => {
      tried.push(text(message));
      if (text(message) === 'two' && broken > 0) {
        broken -= 1;
        throw Object.assign(new Error('disk full'), { code: 'ENOSPC' });
      }
    },
  });
  await link.subscribe('hook', {}, () => {});
  const sender = testLink({ url });
  for (const word of ['one', 'two', 'three', 'four'])
    void sender.publish('hook', { provider: 'codex' }, word);
  await eventually(() => tried.at(-1), 'four');
  expect(tried.filter((word, index) => word !== tried[index - 1])).toEqual(['one', 'two', 'three', 'four']);
  expect(tried.filter((word) => word === 'two')).toHaveLength(4);
  expect(lines).toContainEqual(
    expect.objectContaining({ level: 'error', topic: 'hook/codex', code: 'ENOSPC', error: 'disk full' }),
  );
});

it('works on one message at a time, also when the connection is lost meanwhile', async () => {
  const mosquitto = await startMosquitto({ persistent: true });
  const begun: string[] = [];
  let atWork = 0;
  let most = 0;
  let finish: () => void = () => {};
  const link = testLink({
    url: mosquitto.url,
    ...persistent,
    acknowledge: async (message) => {
      begun.push(text(message));
      atWork += 1;
      most = Math.max(most, atWork);
      if (begun.length === 1) await new Promise<void>((resolve) => (finish = resolve));
      atWork -= 1;
    },
  });
  await link.subscribe('hook', {}, () => {});
  const sender = testLink({ url: mosquitto.url });
  await sender.publish('hook', { provider: 'claude' }, 'one');
  await sender.publish('hook', { provider: 'claude' }, 'two');
  await eventually(() => begun, ['one']);
  await mosquitto.stop();
  await eventually(() => link.connected, false);
  await mosquitto.start();
  await eventually(() => link.connected, true);
  await sender.publish('hook', { provider: 'claude' }, 'three');
  finish();
  await eventually(() => begun, ['one', 'one', 'two', 'three']);
  expect(most).toBe(1);
});

it('finishes and acknowledges the message at work before it closes', async () => {
  const { url } = await startMosquitto();
  const done: string[] = [];
  let finish: () => void = () => {};
  const begun: string[] = [];
  const first = testLink({
    url,
    ...persistent,
    closeTimeoutMs: 10_000,
    acknowledge: async (message) => {
      begun.push(text(message));
      await new Promise<void>((resolve) => (finish = resolve));
      done.push(text(message));
    },
  });
  await first.subscribe('hook', {}, () => {});
  const sender = testLink({ url });
  await sender.publish('hook', { provider: 'claude' }, 'one');
  await sender.publish('hook', { provider: 'claude' }, 'two');
  await eventually(() => begun, ['one']);
  const closed = first.close();
  finish();
  await closed;
  expect(done).toEqual(['one']);

  const rest: string[] = [];
  testLink({ url, ...persistent, acknowledge: async (message) => void rest.push(text(message)) });
  await eventually(() => rest, ['two']);
});

it('hands a message to the handlers of its subscription as well', async () => {
  const { url } = await startMosquitto();
  const { seen, take } = inbox();
  const worked: string[] = [];
  const link = testLink({
    url,
    ...persistent,
    acknowledge: async ({ name, params }) => void worked.push(`${name} ${params['provider']}`),
  });
  await link.subscribe('hook', {}, take);
  await link.publish('hook', { provider: 'claude' }, 'barrier');
  await eventually(() => seen, ['hook/claude barrier']);
  await eventually(() => worked, ['hook claude']);
});

it('acknowledges nothing on a connection that the message did not come on', async () => {
  // A broker by hand: after a reconnect it gives the packet id of the message at work to another one.
  const received: Buffer[][] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    const packets: Buffer[] = [];
    sockets.push(socket);
    received.push(packets);
    socket.on('error', () => {});
    socket.on('data', (bytes: Buffer) => packets.push(bytes));
    const word = received.length === 1 ? 'one' : 'two';
    socket.write(Buffer.concat([CONNACK, publish('hook/claude', 7, word)]));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const begun: string[] = [];
  const finish: (() => void)[] = [];
  const { port } = server.address() as { port: number };
  testLink({
    url: `mqtt://127.0.0.1:${port}`,
    ...persistent,
    acknowledge: async (message) => {
      begun.push(text(message));
      await new Promise<void>((resolve) => finish.push(resolve));
    },
  });
  await eventually(() => begun, ['one']);
  sockets[0]?.destroy();
  await eventually(() => received[1]?.length, 1);
  // What waits behind the message at work comes again too, and is worked on once.
  sockets[1]?.destroy();
  await eventually(() => received[2]?.length, 1);
  finish[0]?.();
  await eventually(() => begun, ['one', 'two']);
  const acknowledged = () => received.flat().filter((bytes) => bytes.includes(PUBACK_7)).length;
  expect(acknowledged()).toBe(0);
  finish[1]?.();
  await eventually(acknowledged, 1);
  expect(begun).toEqual(['one', 'two']);
});

const CONNACK = Buffer.from([0x20, 0x02, 0x01, 0x00]);
const PUBACK_7 = Buffer.from([0x40, 0x02, 0x00, 0x07]);

/** A PUBLISH of QoS 1 (MQTT 3.1.1, section 3.3). */
function publish(topic: string, id: number, payload: string): Buffer {
  const body = Buffer.concat([
    Buffer.from([0, topic.length]),
    Buffer.from(topic),
    Buffer.from([0, id]),
    Buffer.from(payload),
  ]);
  return Buffer.concat([Buffer.from([0x32, body.length]), body]);
}
