import { randomInt } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { viewBus } from '../support/bus-viewer.ts';
import { readHubDatabase } from '../support/hub-database.ts';
import { type HubProcess, runHub, startHub } from '../support/hub.ts';
import { type Mosquitto, startMosquitto } from '../support/mosquitto.ts';
import { connect } from '../support/mqtt-client.ts';
import { payloadPath } from '../support/payloads.ts';
import { shell } from '../support/shell.ts';
import { until } from '../support/until.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 120_000 });

const event = (name: string, session: string, more: object = {}): string =>
  JSON.stringify({ event: name, session_id: session, cwd: `/srv/${session}`, ...more });

function startBeside(broker: Mosquitto, options: Parameters<typeof startHub>[0] = {}): Promise<HubProcess> {
  return startHub({ ...options, args: ['--broker-url', broker.url, ...(options.args ?? [])] });
}

async function publish(broker: Mosquitto, topic: string, body: string): Promise<void> {
  const args = ['-h', '127.0.0.1', '-p', String(broker.port), '-q', '1', '-t', topic, '-s'];
  expect(await shell('mosquitto_pub', args, { input: body })).toMatchObject({ status: 0, stderr: '' });
}

describe('a hub beside another broker', () => {
  it('takes events from there and keeps its signals there', async () => {
    const broker = await startMosquitto();
    const hub = await startBeside(broker);
    expect(hub.broker_url).toBe(broker.url);
    const args = ['-h', '127.0.0.1', '-p', String(broker.port), '-q', '1', '-t', 'hook/claude'];
    await shell('mosquitto_pub', [...args, '-f', payloadPath('claude/PermissionRequest')]);
    const bus = await viewBus({ url: broker.url });
    const signal = await bus.untilSignal('claude', ({ alert }) => alert === 1);
    expect(signal).toMatchObject({
      lamp: 'permission',
      attention: { state: 'needs_user', primary_project: 'shop' },
    });
    expect(bus.last('signalbox/state')).toBe('online');

    const late = await shell('mosquitto_sub', [...args.slice(0, 4), '-t', 'signal/claude', '-C', '1']);
    expect(JSON.parse(late.stdout)).toEqual(signal);
    expect(await hub.end('SIGTERM')).toEqual({ code: 0, signal: null });
    await until(() => bus.last('signalbox/state') === 'offline');
  });

  it('keeps its own doors for hooks, and shows nothing there', async () => {
    const broker = await startMosquitto();
    const hub = await startBeside(broker);
    const bus = await viewBus({ url: broker.url });
    const doors: (readonly [string, (body: string) => Promise<unknown>])[] = [
      ['tcp', async (body) => (await connect({ port: hub.mqtt_port })).publish('hook/claude', body)],
      ['socket', async (body) => (await connect({ path: hub.socket })).publish('hook/claude', body)],
      [
        'http',
        async (body) => {
          const headers = { 'content-type': 'application/json' };
          const answer = await fetch(`${hub.url}/hook/claude`, { method: 'POST', headers, body });
          expect(answer.status).toBe(204);
        },
      ],
    ];
    for (const [name, send] of doors) {
      await send(event('PermissionRequest', name));
      await bus.untilSignal('claude', ({ attention }) => attention.primary_project === name);
    }
    await bus.untilSignal('claude', ({ alert }) => alert === doors.length);
    const looking = await connect({ port: hub.mqtt_port });
    expect(await looking.subscribe('signal/+')).toEqual([128]);
    // What came in by the own doors never shows raw on the other broker.
    expect(bus.seen.filter(({ topic }) => topic.startsWith('hook/'))).toEqual([]);
  });

  it('gets what was published while it was dead, in order, once, and as something that is over', async () => {
    const broker = await startMosquitto();
    const hub = await startBeside(broker);
    await hub.end('SIGKILL');
    const bus = await viewBus({ url: broker.url });
    await until(() => bus.last('signalbox/state') === 'offline');
    const names = Array.from({ length: 60 }, (_, index) => `waiting-${index}`);
    const sender = await connect({ url: broker.url });
    for (const name of names) await sender.publish('hook/claude', event('PermissionRequest', name));

    const again = await startBeside(broker, { home: hub.home });
    await bus.untilSignal('claude', ({ attention }) => attention.count === names.length);
    await sender.publish('hook/claude', event('PermissionRequest', 'live'));
    const alerted = await bus.untilSignal('claude', ({ alert }) => alert > 0);
    expect(alerted.alert).toBe(1);
    expect(readHubDatabase(again.home).events.map(({ session_id }) => session_id)).toEqual([
      ...names,
      'live',
    ]);
  });

  it('keeps what the broker has for it through five kills, in order, each once', async () => {
    const broker = await startMosquitto();
    let hub = await startBeside(broker);
    const sender = await connect({ url: broker.url });
    const sent: string[] = [];
    const send = async (): Promise<void> => {
      const id = `event-${sent.length}`;
      sent.push(id);
      const hook = { event: 'PreToolUse', session_id: id, cwd: '/srv/shop', tool_name: 'Bash' };
      await sender.publish('hook/claude', JSON.stringify({ v: 1, id, hook }));
    };
    for (let round = 0; round < 5; round += 1) {
      // Killed while some are on their way; the broker keeps the rest.
      const sending = Promise.all(Array.from({ length: 100 }, send));
      const reached = readHubDatabase(hub.home).events.length + randomInt(1, 90);
      await until(() => readHubDatabase(hub.home).events.length >= reached);
      await hub.end('SIGKILL');
      await sending;
      hub = await startBeside(broker, { home: hub.home });
    }
    await until(() => readHubDatabase(hub.home).events.length >= sent.length);
    expect(readHubDatabase(hub.home).events.map(({ id }) => id)).toEqual(sent);
  });

  it('clears what an earlier run left there, and nothing of others', async () => {
    const broker = await startMosquitto();
    const cleaner = await connect({ url: broker.url });
    const left = [
      'session/claude/0123456789ab',
      'session/nobody/0123456789ab',
      'signal/nobody',
      'lamp/nobody',
    ];
    const others = [
      'device/desk/state',
      'homeassistant/sensor/x/config',
      'session/deep/er/topic',
      'signal',
      'other/lamp',
    ];
    for (const topic of [...left, ...others]) await cleaner.publish(topic, 'left', { retain: true });
    await startBeside(broker);
    // The hub says where it is only when that is done.
    const bus = await viewBus({ url: broker.url });
    await bus.untilSignal('codex', () => true);
    await until(() => others.every((topic) => bus.last(topic) === 'left'));
    expect(left.filter((topic) => bus.last(topic) !== undefined)).toEqual([]);
  });

  it('publishes everything again when the broker has lost it', async () => {
    const broker = await startMosquitto();
    const hub = await startBeside(broker);
    const before = await viewBus({ url: broker.url });
    await publish(broker, 'hook/claude', event('PermissionRequest', 'shop'));
    await publish(broker, 'hook/gemini', event('UserPromptSubmit', 'api'));
    await before.untilSignal('claude', ({ alert }) => alert === 1);
    await before.untilSignal('gemini', () => true);
    await until(() => before.last('line') !== undefined && before.of('session/#').length >= 2);
    await until(() => before.last('signalbox/info')?.includes('gemini') === true);
    const retained = (bus: typeof before): Record<string, string | undefined> =>
      Object.fromEntries(
        [...new Set(bus.seen.map(({ topic }) => topic))]
          .filter(
            (topic) =>
              /^(?:signal\/\w+|lamp\/\w+|line|session\/.+|signalbox\/(?:state|info))$/.test(topic) &&
              bus.last(topic) !== undefined,
          )
          .sort()
          .map((topic) => [topic, bus.last(topic)]),
      );
    const held = retained(before);
    expect(Object.keys(held).length).toBeGreaterThanOrEqual(12);
    await before.close();
    await broker.stop();
    await broker.start();

    // From an empty store: what is there now, the hub has published.
    const after = await viewBus({ url: broker.url });
    await until(() => Object.keys(retained(after)).length >= Object.keys(held).length);
    expect(retained(after)).toEqual(held);
    // It said `online` last: from then on it hears, also where the broker has lost its session.
    await publish(broker, 'hook/claude', event('PostToolUse', 'shop'));
    await after.untilSignal('claude', ({ attention }) => attention.state === 'running');
    expect(readHubDatabase(hub.home).events).toHaveLength(3);
  });
});

describe('a second hub', () => {
  it('is refused on the same prefix, and told both ways out', async () => {
    const broker = await startMosquitto();
    const first = await startBeside(broker);
    const { code, output } = await runHub({ args: ['--broker-url', broker.url] });
    expect(code).toBe(1);
    expect(output).toContain(`Another hub (${first.hub_id}) is online on this broker under the same prefix.`);
    expect(output).toMatch(/--prefix.*up --join URL/);
    const bus = await viewBus({ url: broker.url });
    await until(() => bus.last('signalbox/info') !== undefined && bus.last('signalbox/state') !== undefined);
    expect([bus.last('signalbox/state'), JSON.parse(bus.last('signalbox/info') ?? '{}').hub_id]).toEqual([
      'online',
      first.hub_id,
    ]);
  });

  it('takes over when the first is gone, also when that was killed', async () => {
    const broker = await startMosquitto();
    const first = await startBeside(broker);
    await first.end('SIGKILL');
    const bus = await viewBus({ url: broker.url });
    await until(() => bus.last('signalbox/state') === 'offline');
    const second = await startBeside(broker);
    await until(() => bus.last('signalbox/state') === 'online');
    expect(JSON.parse(bus.last('signalbox/info') ?? '{}').hub_id).toBe(second.hub_id);
  });

  it('runs beside it under a prefix of its own', async () => {
    const broker = await startMosquitto();
    const first = await startBeside(broker);
    const second = await startBeside(broker, { args: ['--prefix', 'team/bob'] });
    await publish(broker, 'team/bob/hook/claude', event('PermissionRequest', 'bobs'));
    await publish(broker, 'hook/claude', event('UserPromptSubmit', 'shop'));
    const bus = await viewBus({ url: broker.url });
    await until(() => JSON.parse(bus.last('team/bob/signal/claude') ?? '{}').alert === 1);
    await bus.untilSignal('claude', ({ attention }) => attention.primary_project === 'shop');
    expect(bus.signal('claude')?.alert).toBe(0);
    const seen = (hub: HubProcess): (string | undefined)[] =>
      readHubDatabase(hub.home).events.map(({ session_id }) => session_id);
    expect([seen(first), seen(second)]).toEqual([['shop'], ['bobs']]);
  });
});

it('says which broker does not answer', async () => {
  const broker = await startMosquitto();
  await broker.stop();
  const { code, output } = await runHub({ args: ['--broker-url', broker.url] });
  expect(code).toBe(1);
  expect(output).toContain(`The broker at ${broker.url}`);
  expect(output).toContain('does not answer: nothing listens there.');
  expect(output).not.toMatch(/^\s+at /m);
});
