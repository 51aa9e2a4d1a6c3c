import { randomInt } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { ALERT_SETTLE } from '../../protocol/expiry.ts';
import { viewBus } from '../support/bus-viewer.ts';
import { readHubDatabase } from '../support/hub-database.ts';
import { type HubProcess, startHub } from '../support/hub.ts';
import { connect } from '../support/mqtt-client.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 120_000 });

const event = (name: string, session: string, more: object = {}): string =>
  JSON.stringify({ event: name, session_id: session, cwd: `/srv/${session}`, ...more });

/** Publishes events one after the other; resolves when each has been acknowledged. */
async function publish(hub: HubProcess, provider: string, ...payloads: string[]): Promise<void> {
  const client = await connect({ port: hub.mqtt_port });
  for (const payload of payloads) await client.publish(`hook/${provider}`, payload);
  await client.close();
}

/** The table as it shows on the bus, without what only a restart changes. */
async function shown(hub: HubProcess, topics: number): Promise<Record<string, string>> {
  const bus = await viewBus({ port: hub.mqtt_port }, ['signal/+', 'lamp/+', 'line', 'session/#']);
  await until(() => new Set(bus.seen.map(({ topic }) => topic)).size >= topics);
  return Object.fromEntries(bus.seen.map(({ topic, payload }) => [topic, payload]));
}

describe('a hub that was killed', () => {
  it('comes back with sessions, attentions, alerts and lamps as they were', async () => {
    const hub = await startHub();
    const bus = await viewBus({ port: hub.mqtt_port });
    await publish(
      hub,
      'claude',
      event('PermissionRequest', 'shop', { tool_name: 'Bash', tool_input: { command: 'make' } }),
      event('UserPromptSubmit', 'api'),
      event('UserPromptSubmit', 'docs'),
      event('StopFailure', 'docs', { error: 'rate_limit' }),
    );
    await publish(hub, 'codex', event('UserPromptSubmit', 'infra'));
    await publish(hub, 'gemini', '{"signal":"paused"}');
    const alerted = await bus.untilSignal('claude', ({ alert }) => alert === 1);
    await bus.untilSignal('codex', ({ attention }) => attention.state === 'running');
    await until(() => bus.last('lamp/gemini') === 'paused');
    // Three providers' signals and lamps, both surfaces, four sessions.
    const before = await shown(hub, 12);
    expect(before).toMatchObject({
      'lamp/claude': 'blocked',
      'lamp/codex': 'active',
      'lamp/gemini': 'paused',
    });
    await hub.end('SIGKILL');

    const again = await startHub({ home: hub.home });
    expect(again.hub_id).toBe(hub.hub_id);
    expect(await shown(again, 12)).toEqual(before);
    const after = await viewBus({ port: again.mqtt_port });
    await after.untilSignal('claude', ({ alert }) => alert === alerted.alert);

    // The attention is the same one: its own tool answers it, and another one alerts anew.
    await publish(
      again,
      'claude',
      event('PostToolUse', 'shop', { tool_name: 'Bash', tool_input: { command: 'make' } }),
    );
    await until(() => after.of('signal/claude/event').some((text) => JSON.parse(text).to === 'running'));
    await publish(again, 'claude', event('PermissionRequest', 'api', { tool_name: 'Bash' }));
    await after.untilSignal('claude', ({ alert }) => alert === 2);
  });

  it('gives an alert that was pending, once', async () => {
    const hub = await startHub();
    const bus = await viewBus({ port: hub.mqtt_port });
    const client = await connect({ port: hub.mqtt_port });
    await client.publish('hook/claude', event('PermissionRequest', 'shop'));
    await hub.end('SIGKILL');
    // Within the time that a wait has to settle: else there would be nothing left to give.
    expect(bus.of('signal/claude').filter((text) => JSON.parse(text).alert > 0)).toEqual([]);

    const again = await startHub({ home: hub.home });
    const after = await viewBus({ port: again.mqtt_port });
    await after.untilSignal('claude', ({ alert }) => alert === 1);
    await again.end('SIGKILL');

    const third = await startHub({ home: hub.home });
    const last = await viewBus({ port: third.mqtt_port });
    await last.untilSignal('claude', ({ alert }) => alert === 1);
    // A second alert would come within the time that a wait has to settle.
    const settled = Date.now() + 2 * ALERT_SETTLE;
    await until(() => Date.now() > settled);
    expect(new Set(last.of('signal/claude').map((text) => JSON.parse(text).alert))).toEqual(new Set([1]));
  });

  it('honours at its start a deadline that passed while it was away', async () => {
    const env = { SIGNALBOX_STATE_TIMEOUTS_DONE: '1', SIGNALBOX_STATE_TIMEOUTS_NEEDS_USER: '1' };
    const hub = await startHub();
    await publish(
      hub,
      'claude',
      event('UserPromptSubmit', 'shop'),
      event('Stop', 'shop'),
      event('UserPromptSubmit', 'api'),
    );
    await publish(hub, 'codex', event('PermissionRequest', 'infra'));
    await hub.end('SIGKILL');
    const passed = Date.now() + 1_100;
    await until(() => Date.now() > passed);

    const again = await startHub({ home: hub.home, env });
    // The hub says where it is only when all that is over has been published.
    const bus = await viewBus({ port: again.mqtt_port }, ['signal/+', 'lamp/+', 'session/#', 'line']);
    const claude = await bus.untilSignal('claude', () => true);
    const codex = await bus.untilSignal('codex', () => true);
    expect(claude.attention).toMatchObject({ state: 'running', projects: ['api'], count: 1 });
    // Nobody answered, and green would be a guess.
    expect(codex).toMatchObject({ lamp: 'stale', attention: { state: 'idle', count: 0 } });
    expect(readHubDatabase(again.home).sessions.map(({ session_id }) => session_id)).toEqual(['api']);
  });
});

it('keeps every acknowledged event over five kills at random moments under load', async () => {
  const home = temporaryFolder();
  const acknowledged: string[] = [];
  let number = 0;
  let alert = 0;
  for (let round = 0; round < 5; round += 1) {
    const hub = await startHub({ home });
    const bus = await viewBus({ port: hub.mqtt_port }, ['signal/+']);
    const client = await connect({ port: hub.mqtt_port });
    const killAt = acknowledged.length + randomInt(50, 1_500);
    let killed = false;
    const killing = until(() => killed || acknowledged.length >= killAt).then(() => hub.end('SIGKILL'));
    const senders = Array.from({ length: 50 }, async () => {
      for (;;) {
        number += 1;
        const id = `event-${number}`;
        const name = number % 3 === 0 ? 'PermissionRequest' : 'PreToolUse';
        // The same bytes within a second would be one event.
        const body = event(name, `session-${number % 40}`, {
          tool_name: 'Bash',
          tool_use_id: `call-${number}`,
        });
        try {
          await client.publish('hook/claude', JSON.stringify({ v: 1, id, hook: JSON.parse(body) }));
        } catch {
          return;
        }
        acknowledged.push(id);
      }
    });
    client.mqtt.once('close', () => client.mqtt.end(true));
    await killing;
    killed = true;
    await Promise.all(senders);

    const kept = readHubDatabase(home).events.map(({ id }) => id);
    const once = new Set(kept);
    expect(once.size).toBe(kept.length);
    expect(acknowledged.filter((id) => !once.has(id))).toEqual([]);

    const alerts = bus.of('signal/claude').map((text) => (JSON.parse(text) as { alert: number }).alert);
    expect(alerts).toEqual(alerts.toSorted((a, b) => a - b));
    expect(alerts[0] ?? alert).toBeGreaterThanOrEqual(alert);
    alert = alerts.at(-1) ?? alert;
  }
  const hub = await startHub({ home });
  const bus = await viewBus({ port: hub.mqtt_port }, ['signal/+']);
  const signal = await bus.untilSignal('claude', () => true);
  const { sessions } = readHubDatabase(home);
  expect(sessions.length).toBe(40);
  // What is retained is what the table holds, from the first message on.
  const waiting = sessions.filter(({ state }) => state === 'needs_user');
  expect(signal.attention).toMatchObject({
    state: waiting.length > 0 ? 'needs_user' : 'running',
    count: waiting.length > 0 ? waiting.length : sessions.length,
  });
  expect(signal.alert).toBeGreaterThanOrEqual(alert);
});
