import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { viewBus } from '../support/bus-viewer.ts';
import { type HubProcess, startHub } from '../support/hub.ts';
import { connect } from '../support/mqtt-client.ts';
import { type RealNtfy, startNtfy } from '../support/ntfy.ts';
import { until } from '../support/until.ts';
import { writtenBytes } from '../support/written-bytes.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 120_000 });

const TOPIC = 'agents';
const ASKS = { tool_name: 'Bash', tool_input: { command: 'make the canary sing' } };

const event = (name: string, session: string, more: object = {}): string =>
  JSON.stringify({ event: name, session_id: session, cwd: `/srv/${session}`, ...more });

async function publish(hub: HubProcess, provider: string, ...payloads: string[]): Promise<void> {
  const client = await connect({ port: hub.mqtt_port });
  for (const payload of payloads) await client.publish(`hook/${provider}`, payload);
  await client.close();
}

/** A hub that tells a real ntfy server of what waits. */
async function notifying(
  ntfy: Pick<RealNtfy, 'url'>,
  env: Record<string, string> = {},
  home?: string,
): Promise<HubProcess> {
  return startHub({
    ...(home !== undefined && { home }),
    env: {
      SIGNALBOX_NOTIFY_ENABLED: 'true',
      SIGNALBOX_NOTIFY_SERVER: ntfy.url,
      SIGNALBOX_NOTIFY_TOPIC: TOPIC,
      ...env,
    },
  });
}

/** In the place of a server: it ends every connection, and counts them. */
async function refusing(port: number): Promise<{ attempts(): number; close(): Promise<void> }> {
  let attempts = 0;
  const server = createServer((socket) => {
    attempts += 1;
    socket.on('error', () => undefined).destroy();
  });
  const close = async (): Promise<void> => {
    await new Promise((resolve) => server.close(resolve));
  };
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  onTestFinished(close);
  return { attempts: () => attempts, close };
}

/** Resolves once a later wait of another agent has been told: whatever was to be told before it has been. */
async function laterOne(hub: HubProcess, ntfy: RealNtfy): Promise<void> {
  await publish(hub, 'gemini', event('PermissionRequest', 'later', ASKS));
  for (let count = 1; ; count += 1) {
    const told = await ntfy.untilEvents(TOPIC, 'message', count);
    if (told.some(({ title }) => title === 'Gemini waiting: later')) return;
  }
}

describe('one permission prompt', () => {
  it('is one message with title, priority and sequence id; refreshes add none; the answer clears it', async () => {
    const ntfy = await startNtfy();
    const hub = await notifying(ntfy);
    await publish(hub, 'codex', event('PermissionRequest', 'web-shop', ASKS));
    const [message] = await ntfy.untilEvents(TOPIC, 'message', 1);
    expect(message).toMatchObject({
      title: 'Codex waiting: web-shop',
      message: 'Asks for a permission: Bash',
      priority: 4,
      tags: ['raised_hand', 'codex'],
      sequence_id: expect.stringMatching(/^codex-[0-9a-f]{12}$/),
    });
    const again = Array.from({ length: 50 }, (_, index) =>
      event(index % 2 === 0 ? 'Notification' : 'PermissionRequest', 'web-shop', {
        ...ASKS,
        notification_type: 'permission_prompt',
        index,
      }),
    );
    await publish(hub, 'codex', ...again);
    await laterOne(hub, ntfy);
    await publish(hub, 'codex', event('PostToolUse', 'web-shop', ASKS));
    const [clear] = await ntfy.untilEvents(TOPIC, 'message_clear', 1);
    expect(clear?.sequence_id).toBe(message?.sequence_id);
    const told = (await ntfy.events(TOPIC)).filter(({ event: kind }) => kind === 'message');
    expect(told.map(({ title }) => title)).toEqual(['Codex waiting: web-shop', 'Gemini waiting: later']);
    const metrics = await (await fetch(`${hub.url}/metrics`)).text();
    expect(metrics).toContain('signalbox_notifications_total{outcome="sent"} 2');
    expect(await hub.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  it.each<['SIGTERM' | 'SIGKILL']>([['SIGTERM'], ['SIGKILL']])(
    'is told once over a hub that ended with %s, and cleared by the next one',
    async (signal) => {
      const ntfy = await startNtfy();
      const hub = await notifying(ntfy);
      await publish(hub, 'codex', event('PermissionRequest', 'web-shop', ASKS));
      await ntfy.untilEvents(TOPIC, 'message', 1);
      await hub.end(signal);
      const next = await notifying(ntfy, {}, hub.home);
      await laterOne(next, ntfy);
      await publish(next, 'codex', event('PostToolUse', 'web-shop', ASKS));
      await ntfy.untilEvents(TOPIC, 'message_clear', 1);
      const told = (await ntfy.events(TOPIC)).filter(({ event: kind }) => kind === 'message');
      expect(told.map(({ title }) => title)).toEqual(['Codex waiting: web-shop', 'Gemini waiting: later']);
    },
  );

  it('that was answered while no hub ran is cleared by the next one', async () => {
    const ntfy = await startNtfy();
    const hub = await notifying(ntfy, { SIGNALBOX_STATE_TIMEOUTS_NEEDS_USER: '0.9' });
    await publish(hub, 'codex', event('PermissionRequest', 'web-shop', ASKS));
    await ntfy.untilEvents(TOPIC, 'message', 1);
    await hub.end('SIGKILL');
    // It has expired by then.
    await notifying(ntfy, { SIGNALBOX_STATE_TIMEOUTS_NEEDS_USER: '0' }, hub.home);
    await ntfy.untilEvents(TOPIC, 'message_clear', 1);
  });
});

describe('a server that is down', () => {
  it('delays the message and nothing else', async () => {
    const ntfy = await startNtfy();
    const hub = await notifying(ntfy);
    await ntfy.stop();
    const down = await refusing(Number(new URL(ntfy.url).port));
    const bus = await viewBus({ port: hub.mqtt_port });
    await publish(hub, 'claude', event('PermissionRequest', 'web-shop', ASKS));
    await bus.untilSignal('claude', ({ alert }) => alert === 1);
    await publish(hub, 'claude', event('PermissionRequest', 'api', ASKS));
    await bus.untilSignal('claude', ({ attention }) => attention.count === 2);
    await until(() => down.attempts() >= 3);
    expect(bus.last('lamp/all')).toBe('permission');
    await down.close();
    await ntfy.start();
    const [message] = await ntfy.untilEvents(TOPIC, 'message', 1);
    expect(message?.title).toBe('Claude waiting: web-shop');
    expect(await hub.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  it('is no news after the wait is over', async () => {
    const ntfy = await startNtfy();
    await ntfy.stop();
    const hub = await notifying(ntfy);
    const bus = await viewBus({ port: hub.mqtt_port });
    await publish(hub, 'claude', event('PermissionRequest', 'web-shop', ASKS));
    await bus.untilSignal('claude', ({ alert }) => alert === 1);
    await publish(hub, 'claude', event('PostToolUse', 'web-shop', ASKS));
    await bus.untilSignal('claude', ({ attention }) => attention.state === 'running');
    await ntfy.start();
    await laterOne(hub, ntfy);
    const told = (await ntfy.events(TOPIC)).filter(({ event: kind }) => kind === 'message');
    expect(told.map(({ title }) => title)).toEqual(['Gemini waiting: later']);
  });
});

describe('what is kept', () => {
  it('holds neither the token nor what the tool was given, and no other can read it', async () => {
    const token = 'tk_canary0canary0canary0canary01';
    const ntfy = await startNtfy({
      config: (folder) => [`auth-file: "${folder}/user.db"`, 'auth-default-access: "deny-all"'],
    });
    const hub = await notifying(ntfy, {
      SIGNALBOX_NOTIFY_TOKEN: token,
      SIGNALBOX_NOTIFY_PASSWORD: token,
      SIGNALBOX_LOG_LEVEL: 'debug',
    });
    const bus = await viewBus({ port: hub.mqtt_port });
    // The server knows no such token, and says so.
    await publish(hub, 'codex', event('PermissionRequest', 'web-shop', ASKS));
    await until(() => (bus.last('signalbox/health') ?? '').includes('"notifier":{"sent":0'));
    await until(() => /"failed":[1-9]/.test(bus.last('signalbox/health') ?? ''));
    await hub.end('SIGTERM');
    const written = [...writtenBytes(hub.home).values()].map((bytes) => bytes.toString('latin1')).join('\n');
    const all = [written, hub.output(), ...bus.seen.map(({ payload }) => payload)].join('\n');
    expect(all).toContain('web-shop');
    for (const secret of [token, Buffer.from(`:${token}`).toString('base64'), 'canary sing'])
      expect(all).not.toContain(secret);
  });

  it('off until it is switched on: nothing is sent and nothing is kept', async () => {
    const ntfy = await startNtfy();
    const hub = await startHub({ env: { SIGNALBOX_NOTIFY_SERVER: ntfy.url, SIGNALBOX_NOTIFY_TOPIC: TOPIC } });
    const bus = await viewBus({ port: hub.mqtt_port });
    await publish(hub, 'codex', event('PermissionRequest', 'web-shop', ASKS));
    await bus.untilSignal('codex', ({ alert }) => alert === 1);
    await hub.end('SIGTERM');
    expect(await ntfy.events(TOPIC)).toEqual([]);
    expect([...writtenBytes(hub.home).keys()].some((path) => path.includes('notifier'))).toBe(false);
  });
});
