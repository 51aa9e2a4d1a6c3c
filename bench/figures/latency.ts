import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { withHub } from '../bench-hub.ts';
import type { Figure, Row } from '../figure.ts';
import { withRelay } from '../peers.ts';
import { median, medianRatio, quantile } from '../quantile.ts';
import { WireClient } from '../wire-client.ts';

/** Events a second. */
const RATE = 100;
const WARM_UP = 100;
/** Sessions take turns, so that a signal tells by its project which event it answers. */
const SESSIONS = 50;

/** Hook publish to signal at a subscriber, QoS 1, commit included, beside the same two hops through Mosquitto and a relay that does nothing between them. */
export const latency: Figure = {
  name: 'latency',
  about: `hook publish to signal at a subscriber, ${RATE} events/s, QoS 1, commit included`,
  async measure({ rounds, latencySeconds, processRuns }) {
    const ours: number[][] = [];
    const theirs: number[][] = [];
    const wholeProcess: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await withHub(async ({ port }) => {
        ours.push(await measureLatency(port, latencySeconds, keyOfSignal));
        if (round === 0) wholeProcess.push(...(await measureProcess(port, processRuns)));
      });
      await withRelay(async (port) => {
        theirs.push(await measureLatency(port, latencySeconds, keyOfEvent));
      });
    }
    const at = (runs: readonly number[][], part: number): number[] =>
      runs.map((samples) => quantile(samples, part));
    const row = (name: string, values: readonly number[], goal?: Row['goal']): Row => ({
      name,
      value: median(values),
      unit: 'ms',
      rounds: values,
      ...(goal !== undefined && { goal }),
    });
    return [
      row('hook to signal, p50', at(ours, 0.5)),
      row('hook to signal, p99', at(ours, 0.99), { atMost: 20 }),
      row('Mosquitto + relay, p50', at(theirs, 0.5)),
      row('Mosquitto + relay, p99', at(theirs, 0.99)),
      ratio('p50 against Mosquitto + relay', at(ours, 0.5), at(theirs, 0.5)),
      ratio('p99 against Mosquitto + relay', at(ours, 0.99), at(theirs, 0.99)),
      row('from the start of a whole `mqtt pub` process', wholeProcess),
    ];
  },
};

function ratio(name: string, ours: readonly number[], theirs: readonly number[]): Row {
  return { name, value: medianRatio(ours, theirs), unit: 'x', goal: { atMost: 1.5 } };
}

/** Milliseconds for each event, in the order of publishing. @param keyOf what a payload says it answers */
async function measureLatency(
  port: number,
  seconds: number,
  keyOf: (payload: string) => string,
): Promise<number[]> {
  const samples: number[] = [];
  const pending: { readonly key: string; readonly at: number }[] = [];
  let measuring = false;
  const subscriber = await WireClient.open(port, 'bench-subscriber', (_topic, payload) => {
    const key = keyOf(payload.toString());
    const index = pending.findIndex((sent) => sent.key === key);
    // What came before it in one commit was overtaken, and is answered by what holds more than it.
    for (const { at } of pending.splice(0, index + 1)) if (measuring) samples.push(performance.now() - at);
  });
  await subscriber.subscribe('signal/claude');
  const publisher = await WireClient.open(port, 'bench-publisher');

  async function publish(from: number, count: number): Promise<void> {
    const started = performance.now();
    for (let index = 0; index < count; index += 1) {
      const due = started + (index * 1000) / RATE - performance.now();
      if (due > 0) await wait(due);
      const event = eventOf(from + index);
      pending.push({ key: keyOfParts(event.hook_event_name, event.cwd), at: performance.now() });
      publisher.publish('hook/claude', JSON.stringify(event));
    }
    for (let tries = 0; pending.length > 0 && tries < 500; tries += 1) await wait(10);
    if (pending.length > 0) throw new Error(`${pending.length} events were never answered`);
  }

  await publish(0, WARM_UP);
  measuring = true;
  await publish(WARM_UP, Math.round(RATE * seconds));
  publisher.close();
  subscriber.close();
  return samples;
}

/** The whole way of somebody who types the command: Node's start, MQTT.js, connection and publish among it. */
async function measureProcess(port: number, runs: number): Promise<number[]> {
  const samples: number[] = [];
  let arrived: (() => void) | undefined;
  const subscriber = await WireClient.open(port, 'bench-subscriber', (_topic, payload) => {
    if (payload.includes('"whole-')) arrived?.();
  });
  await subscriber.subscribe('signal/claude');
  for (let run = 0; run < runs; run += 1) {
    const signal = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const body = JSON.stringify({
      event: 'PermissionRequest',
      session_id: `whole-${run}`,
      cwd: `/srv/whole-${run}`,
    });
    const started = performance.now();
    const child = spawn(
      'npx',
      ['--no-install', 'mqtt', 'pub', '-p', String(port), '-t', 'hook/claude', '-q', '1', '-m', body],
      {
        stdio: 'ignore',
      },
    );
    const ended = once(child, 'exit');
    await signal;
    samples.push(performance.now() - started);
    await ended;
  }
  subscriber.close();
  return samples;
}

interface HookEvent {
  readonly hook_event_name: string;
  readonly cwd: string;
}

/** Two events a session: it asks, then it goes on. */
function eventOf(count: number): HookEvent & Readonly<Record<string, unknown>> {
  const session = (count >> 1) % SESSIONS;
  return {
    session_id: `bench-${session}`,
    cwd: `/home/dev/p-${session}`,
    prompt_id: 'prompt',
    hook_event_name: count % 2 === 0 ? 'PermissionRequest' : 'PostToolUse',
    tool_name: 'Bash',
    tool_use_id: `call-${count}`,
    tool_input: { command: `echo ${count >> 1}` },
  };
}

function keyOfParts(event: string, cwd: string): string {
  return `${event === 'PermissionRequest' ? 'needs_user' : 'running'} ${cwd.slice(cwd.lastIndexOf('/') + 1)}`;
}

function keyOfEvent(payload: string): string {
  const { hook_event_name: event, cwd } = JSON.parse(payload) as HookEvent;
  return keyOfParts(event, cwd);
}

function keyOfSignal(payload: string): string {
  const { attention } = JSON.parse(payload) as {
    readonly attention: { readonly state: string; readonly primary_project: string };
  };
  return `${attention.state} ${attention.primary_project}`;
}
