import { describe, expect, it } from 'vitest';
import { startBroker } from './aedes-broker.ts';
import { eventually, inbox, quiet, readableLog, testLink, topics } from './test-link.ts';
import { connectLink } from '../../../runtime/link.ts';

describe.each(['TCP', 'a stream inside the process'])('a link over %s', (kind) => {
  const where = async () => {
    const broker = await startBroker();
    return { broker, way: kind === 'TCP' ? { url: broker.url } : { stream: broker.stream } };
  };

  it('brings a message to the handlers of its row, with name, parameters and payload', async () => {
    const { way } = await where();
    const [sender, receiver] = [testLink(way), testLink(way)];
    const messages: unknown[] = [];
    await receiver.subscribe('signal', {}, ({ topic, name, params, payload }) => {
      messages.push({ topic, name, params, text: Buffer.from(payload).toString() });
    });
    await sender.publish('signal', { provider: 'codex' }, { v: 1, name: 'Codex' });
    await eventually(
      () => messages,
      [
        {
          topic: 'signal/codex',
          name: 'signal',
          params: { provider: 'codex' },
          text: '{"v":1,"name":"Codex"}',
        },
      ],
    );
  });

  it('takes QoS and retain bit from the topic table', async () => {
    const { broker, way } = await where();
    const packets: string[] = [];
    broker.aedes.authorizePublish = (_client, { topic, qos, retain }, done) => {
      packets.push(`${topic} QoS ${qos}${retain ? ' retained' : ''}`);
      done(null);
    };
    const link = testLink(way);
    await link.publish('lamp', { provider: 'claude' }, 'ready');
    await link.publish('signalEvent', { provider: 'claude' }, { v: 1 });
    await link.publish('reject', {}, { code: 'bad_json' });
    await eventually(
      () => packets,
      ['lamp/claude QoS 1 retained', 'signal/claude/event QoS 1', 'signalbox/reject QoS 0'],
    );
  });

  it('resolves a publish when the broker has acknowledged it, not before', async () => {
    const { broker, way } = await where();
    let acknowledge: () => void = () => {};
    broker.aedes.authorizePublish = (_client, _packet, done) => {
      acknowledge = () => done(null);
    };
    const link = testLink(way);
    let resolved = false;
    const published = link.publish('usage', { provider: 'claude' }, {}).then(() => {
      resolved = true;
    });
    await link.subscribe('line', {}, () => {});
    expect(resolved).toBe(false);
    acknowledge();
    await published;
  });

  it('tells state that stands from what happens, and clears a retained topic with an empty payload', async () => {
    const { way } = await where();
    const [sender, receiver] = [testLink(way), testLink(way)];
    // Aedes acknowledges before it stores and delivers; what has come back to its sender is through.
    const back = inbox();
    await sender.subscribe('line', {}, back.take);
    await sender.publish('line', {}, 'Codex waiting: web-shop');
    await eventually(() => back.seen.length, 1);
    const { seen, take } = inbox();
    await receiver.subscribe('line', {}, take);
    await sender.publish('line', {}, '');
    await eventually(() => seen, ['line Codex waiting: web-shop (retained)', 'line ']);
    const late = inbox();
    await testLink(way).subscribe('line', {}, late.take);
    await sender.publish('line', {}, 'next');
    await eventually(() => late.seen, ['line next']);
  });

  it('says goodbye at close, so that its will is not published', async () => {
    const { broker, way } = await where();
    const watcher = testLink({ stream: broker.stream });
    const { seen, take } = inbox();
    await watcher.subscribe('hubState', {}, take);
    const hub = testLink({ ...way, will: { name: 'hubState', payload: 'offline' } });
    await hub.publish('hubState', {}, 'online');
    await hub.close();
    await eventually(() => broker.aedes.connectedClients, 1);
    await watcher.publish('hubState', {}, 'barrier');
    await eventually(() => seen, ['signalbox/state online', 'signalbox/state barrier']);
  });
});

it('leaves its will, retained, when it is cut off', async () => {
  const broker = await startBroker();
  const watcher = testLink({ stream: broker.stream });
  const { seen, take } = inbox();
  await watcher.subscribe('hostState', {}, take);
  const hub = testLink({
    url: broker.url,
    will: { name: 'hostState', params: { name: 'desk' }, payload: 'offline' },
    reconnect: { baseMs: 60_000, capMs: 60_000 },
  });
  await hub.ready();
  broker.cut();
  await eventually(() => seen, ['host/desk/state offline']);
  const late = inbox();
  await watcher.subscribe('hostState', { name: 'desk' }, late.take);
  await eventually(() => late.seen, ['host/desk/state offline (retained)']);
});

it('gives a message to every handler whose filter covers it, and to none that was taken back', async () => {
  const { stream } = await startBroker();
  const link = testLink({ stream });
  const [all, claude, again, lamps] = [inbox(), inbox(), inbox(), inbox()];
  const stopAll = await link.subscribe('lamp', {}, all.take);
  await link.subscribe('lamp', { provider: 'claude' }, claude.take);
  const stopAgain = await link.subscribe('lamp', {}, again.take);
  await link.subscribe('lampAll', {}, lamps.take);
  await link.publish('lamp', { provider: 'codex' }, 'active');
  await link.publish('lampAll', {}, 'active');
  await eventually(() => lamps.seen, ['lamp/all active']);
  expect(all.seen).toEqual(['lamp/codex active']);
  expect(again.seen).toEqual(['lamp/codex active']);
  await stopAgain();
  await link.publish('lamp', { provider: 'claude' }, 'ready');
  await eventually(() => claude.seen, ['lamp/claude ready']);
  expect(all.seen).toEqual(['lamp/codex active', 'lamp/claude ready']);
  expect(again.seen).toEqual(['lamp/codex active']);
  await stopAll();
  await stopAll();
  await link.publish('lamp', { provider: 'codex' }, 'ready');
  await link.publish('lampAll', {}, 'ready');
  await eventually(() => lamps.seen.at(-1), 'lamp/all ready');
  expect(all.seen).toHaveLength(2);
});

it('sends nothing any more for a filter that nobody wants', async () => {
  const broker = await startBroker();
  const gone: string[] = [];
  broker.aedes.on('unsubscribe', (filters) => gone.push(...filters));
  const link = testLink({ stream: broker.stream });
  const [first, second] = [
    await link.subscribe('line', {}, () => {}),
    await link.subscribe('line', {}, () => {}),
  ];
  await first();
  expect(gone).toEqual([]);
  await second();
  expect(gone).toEqual(['line']);
});

it('goes on when a handler throws or rejects, and logs neither payload nor silence', async () => {
  const { stream } = await startBroker();
  const { log, lines } = readableLog();
  const link = testLink({ stream, log });
  const { seen, take } = inbox();
  await link.subscribe('line', {}, () => {
    throw new Error('broken handler');
  });
  await link.subscribe('line', {}, async () => {
    JSON.parse('secret words');
  });
  await link.subscribe('line', {}, take);
  await link.publish('line', {}, 'one');
  await link.publish('line', {}, 'two');
  await eventually(() => seen, ['line one', 'line two']);
  const errors = lines.filter(({ level }) => level === 'error');
  expect(errors.map(({ error }) => error)).toEqual([
    'broken handler',
    'SyntaxError',
    'broken handler',
    'SyntaxError',
  ]);
  expect(errors[0]).toMatchObject({ topic: 'line' });
  expect(JSON.stringify(lines)).not.toContain('secret');
});

it('puts the prefix in front of everything', async () => {
  const { stream } = await startBroker();
  const { createTopics } = await import('../../../protocol/topics.ts');
  const alice = testLink({ stream, topics: createTopics('team/alice') });
  const everybody = testLink({ stream });
  const [hers, ours] = [inbox(), inbox()];
  await alice.subscribe('line', {}, hers.take);
  await everybody.subscribe('line', {}, ours.take);
  await alice.publish('line', {}, 'hers');
  await everybody.publish('line', {}, 'ours');
  await eventually(() => ours.seen, ['line ours']);
  await eventually(() => hers.seen, ['team/alice/line hers']);
});

it('tells a refused subscription by its code, and keeps the others', async () => {
  const broker = await startBroker({
    authorizeSubscribe: (_client, subscription, done) =>
      done(null, subscription.topic.startsWith('hook/') ? null : subscription),
  });
  const link = testLink({ stream: broker.stream });
  const { seen, take } = inbox();
  await link.subscribe('line', {}, take);
  await expect(link.subscribe('hook', {}, take)).rejects.toMatchObject({
    code: 'subscription_refused',
    message: 'The broker refused the subscription to hook/+.',
  });
  await link.publish('line', {}, 'still there');
  await eventually(() => seen, ['line still there']);
});

it('refuses a broker URL with a password before anything is sent', () => {
  expect(() => connectLink({ url: 'mqtt://me:secret@127.0.0.1', topics, log: quiet() })).toThrow(
    expect.objectContaining({ code: 'password_in_url' }),
  );
});

it('logs in with user name and password', async () => {
  const logins: string[] = [];
  const broker = await startBroker({
    authenticate: (_client, username, password, done) => {
      logins.push(`${username} ${String(password)}`);
      done(null, true);
    },
  });
  await testLink({ url: broker.url, username: 'desk', password: 'pw' }).ready();
  await testLink({ url: broker.url.replace('//', '//kitchen@'), password: 'pw' }).ready();
  expect(logins).toEqual(['desk pw', 'kitchen pw']);
});
