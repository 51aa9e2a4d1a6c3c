import { describe, expect, it, vi } from 'vitest';
import type { RejectPayload } from '../../protocol/messages/hub.ts';
import type { SignalPayload } from '../../protocol/messages/signal.ts';
import { type BusViewer, viewBus } from '../support/bus-viewer.ts';
import { readHubDatabase } from '../support/hub-database.ts';
import { type HubProcess, startHub } from '../support/hub.ts';
import { connect, type TestClient } from '../support/mqtt-client.ts';
import { payload } from '../support/payloads.ts';
import { publishWindow } from '../support/publish-window.ts';
import { until } from '../support/until.ts';
import { filesWith } from '../support/written-bytes.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 120_000 });

interface Scene {
  readonly hub: HubProcess;
  readonly bus: BusViewer;
  readonly client: TestClient;
  /** Publishes on a connection of its own, as an agent that has nothing to do with it, and waits until it shows. */
  bystander(): Promise<void>;
}

async function setScene(): Promise<Scene> {
  const hub = await startHub();
  const bus = await viewBus({ port: hub.mqtt_port });
  const client = await connect({ port: hub.mqtt_port });
  const other = await connect({ port: hub.mqtt_port });
  let count = 0;
  return {
    hub,
    bus,
    client,
    async bystander() {
      count += 1;
      await other.publish(
        'hook/gemini',
        JSON.stringify({ event: 'UserPromptSubmit', session_id: `fine-${count}` }),
      );
      await bus.untilSignal('gemini', ({ attention }) => attention.count === count);
    },
  };
}

const rejects = (bus: BusViewer): RejectPayload[] =>
  bus.of('signalbox/reject').map((text) => JSON.parse(text) as RejectPayload);

/** The broker closed the connection, or broke it off. */
function ended({ mqtt }: TestClient): Promise<void> {
  return new Promise((resolve) => mqtt.once('close', () => resolve()));
}

/** Far above what a hub with a few sessions needs [bytes]; 10,000 counters that are kept with their payloads would not fit. */
const MEMORY = 300 * 1024 * 1024;

const REFUSED: readonly (readonly [string, string, string, string | Buffer])[] = [
  ['an unknown provider', 'unknown_provider', 'nobody', '{"event":"Stop","session_id":"s"}'],
  [
    'a provider that is a word of JavaScript',
    'unknown_provider',
    'constructor',
    '{"event":"Stop","session_id":"s"}',
  ],
  [
    'the name of all providers, for a session',
    'unknown_provider',
    'all',
    '{"event":"Stop","session_id":"s"}',
  ],
  ['no JSON', 'bad_json', 'claude', 'Stop it!'],
  ['half an object', 'bad_json', 'claude', '{"event":"Stop","session_id":"s'],
  ['nothing', 'bad_json', 'claude', ''],
  ['a list', 'bad_json', 'claude', '[{"event":"Stop","session_id":"s"}]'],
  ['null', 'bad_json', 'claude', 'null'],
  ['bytes that are no UTF-8', 'bad_json', 'claude', Buffer.from([0xff, 0xfe, 0x00, 0x80])],
  ['an event nobody knows', 'unknown_event', 'claude', '{"event":"","session_id":"s"}'],
  ['an event that is no text', 'unknown_event', 'claude', '{"event":{"a":1},"session_id":"s"}'],
  ['a signal nobody knows', 'unknown_signal', 'claude', '{"signal":"explode","session_id":"s"}'],
  ['neither session nor folder', 'no_identity', 'claude', '{"event":"Stop"}'],
  ['lists in lists', 'too_deep', 'claude', `{"event":"Stop","session_id":"s","x":${'['.repeat(100_000)}`],
  ['objects in objects', 'too_deep', 'claude', `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`],
];

describe('what is refused', () => {
  it('is acknowledged, counted and told with its code, and nothing of it is kept', async () => {
    const { hub, bus, client, bystander } = await setScene();
    for (const [name, code, provider, body] of REFUSED) {
      const before = rejects(bus).length;
      await client.publish(`hook/${provider}`, body);
      await bystander();
      await until(() => rejects(bus).length > before);
      expect([name, ...rejects(bus).slice(before)]).toEqual([
        name,
        { provider, code, reason: expect.any(String), at: expect.any(Number) },
      ]);
    }
    const { events, refused } = readHubDatabase(hub.home);
    expect(new Set(events.map(({ provider }) => provider))).toEqual(new Set(['gemini']));
    const codes = REFUSED.map(([, code]) => code);
    expect(refused).toEqual(
      Object.fromEntries(
        [...new Set(codes)].map((code) => [code, codes.filter((other) => other === code).length]),
      ),
    );
    // No phantom provider appears.
    expect(bus.of('signal/+').map((text) => JSON.parse(text).name)).not.toContain('nobody');
    expect(
      new Set(bus.seen.filter(({ topic }) => /^signal\/[^/]+$/.test(topic)).map(({ topic }) => topic)),
    ).toEqual(new Set(['signal/claude', 'signal/codex', 'signal/gemini']));
  });

  it('is answered over HTTP with 422 and the same code', async () => {
    const { hub, bus, bystander } = await setScene();
    for (const [name, code, provider, body] of REFUSED) {
      const answer = await fetch(`${hub.url}/hook/${provider}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      expect([name, answer.status, await answer.json()]).toMatchObject([
        name,
        422,
        { ok: false, error: { code } },
      ]);
    }
    await bystander();
    await until(() => rejects(bus).length === REFUSED.length);
    expect(rejects(bus).map(({ code }) => code)).toEqual(REFUSED.map(([, code]) => code));
  });
});

describe('what is large', () => {
  it('is taken up to 16 MB and cut down: nothing of it stays', async () => {
    const { hub, bus, client, bystander } = await setScene();
    const canary = 'canary-of-a-large-result';
    const output = `${canary} `.repeat(Math.ceil((2 * 1024 * 1024) / canary.length));
    await client.publish('hook/claude', JSON.stringify({ ...payload('claude/PreToolUse-Bash') }));
    await client.publish(
      'hook/claude',
      JSON.stringify({ ...payload('claude/PostToolUse'), tool_response: { stdout: output } }),
    );
    await bystander();
    expect(readHubDatabase(hub.home).events.map(({ event }) => event)).toContain('PostToolUse');
    expect(filesWith(hub.home, canary)).toEqual([]);
    expect(bus.seen.filter(({ payload: text }) => text.includes(canary))).toEqual([]);
  });

  it('is cut off above that, and said on the bus', async () => {
    const { bus, client, bystander } = await setScene();
    const closed = ended(client);
    client.mqtt.publish('hook/claude', Buffer.alloc(20 * 1024 * 1024, 0x20), { qos: 1 });
    await closed;
    await until(() => rejects(bus).length > 0);
    expect(rejects(bus)).toMatchObject([{ provider: 'claude', code: 'too_large' }]);
    await bystander();
  });

  it('is cut off above 64 KB on every other topic', async () => {
    const { hub, bus, bystander } = await setScene();
    const operator = await connect({ path: hub.socket });
    const closed = ended(operator);
    operator.mqtt.publish('signalbox/request/ack', Buffer.alloc(65 * 1024, 0x20), { qos: 1 });
    await closed;
    await until(() => rejects(bus).length > 0);
    expect(rejects(bus)).toMatchObject([{ provider: '', code: 'too_large' }]);
    await bystander();
  });
});

/** A provider each, so that one hub shows all of them. */
const NAMES: readonly (readonly [string, string, string])[] = [
  ['claude', '500 emoji', '👩‍🚀'.repeat(500)],
  ['codex', 'NUL and escapes', 'a\u0000b\u001b[31mc\u0007'],
  ['gemini', 'lone surrogates', 'a\ud800b\udfffc'],
  ['cursor', 'quotes and backslashes', '"\\'.repeat(100)],
  ['copilot', 'wildcards of topics', '+#$SYS'],
  ['opencode', 'control characters that JSON makes six times as long', '\u0001'.repeat(400)],
  ['codebuddy', 'right-to-left marks', '\u202egnp.exe'],
  ['qwen', 'no name', ''],
];

describe('hostile names', () => {
  it('make signals of at most 512 bytes in valid UTF-8 and lines of at most 64', async () => {
    const hub = await startHub();
    const client = await connect({ port: hub.mqtt_port });
    const packets: { topic: string; bytes: Buffer }[] = [];
    client.mqtt.on('message', (topic, bytes) => packets.push({ topic, bytes }));
    await client.subscribe('#');
    for (const [provider, , name] of NAMES) {
      for (const session of ['one', 'two', 'three', 'four']) {
        const body = {
          event: 'PermissionRequest',
          session_id: `${session}${name}`,
          cwd: `/srv/${session}-${name}/${name}`,
          tool_name: name,
        };
        await client.publish(`hook/${provider}`, JSON.stringify(body));
      }
    }
    const last = (provider: string): Buffer | undefined =>
      packets.findLast(({ topic }) => topic === `signal/${provider}`)?.bytes;
    const signal = (provider: string): SignalPayload =>
      JSON.parse(String(last(provider) ?? '{}')) as SignalPayload;
    await until(() => NAMES.every(([provider]) => signal(provider).alert === 4));

    const decoder = new TextDecoder('utf-8', { fatal: true });
    const texts = packets.map(({ topic, bytes }) => ({ topic, bytes, text: decoder.decode(bytes) }));
    expect(texts.filter(({ topic }) => /[+#\u0000]/.test(topic))).toEqual([]);
    const longer = (filter: RegExp, limit: number): unknown[] =>
      texts.filter(({ topic, bytes }) => filter.test(topic) && bytes.length > limit);
    expect(longer(/^signal\/[^/]+$/, 512)).toEqual([]);
    expect(longer(/^line$/, 64)).toEqual([]);
    const shown = texts.filter(({ topic }) => topic === 'line' || topic.startsWith('signal/'));
    expect(shown.filter(({ text }) => /[\u0000-\u001f\u202a-\u202e]|\\u[0d]/.test(text))).toEqual([]);
    for (const [provider, name] of NAMES) {
      const { attention } = signal(provider);
      expect([name, attention.state, attention.count]).toEqual([name, 'needs_user', 4]);
      expect([name, attention.projects[0]]).toEqual([name, attention.primary_project]);
      expect([name, attention.projects.includes('')]).toEqual([name, false]);
    }
  });
});

it('holds nothing of a client that publishes to ten thousand providers', async () => {
  const { hub, bus, bystander } = await setScene();
  await publishWindow(hub.mqtt_port, 10_000, (index) => ({
    topic: `hook/nobody-${index}`,
    payload: '{"event":"Stop","session_id":"hostile"}',
  }));
  await bystander();
  expect(readHubDatabase(hub.home).refused).toEqual({ unknown_provider: 10_000 });
  expect(bus.seen.filter(({ topic }) => topic.startsWith('signal/nobody'))).toEqual([]);
  expect(hub.memory()).toBeLessThan(MEMORY);
});
