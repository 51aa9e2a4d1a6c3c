import { setTimeout as wait } from 'node:timers/promises';
import { quantile } from './quantile.ts';
import { WireClient } from './wire-client.ts';

/** Milliseconds from the PUBLISH of a hook event to its signal at a subscriber. */
export interface Latency {
  readonly samples: number;
  readonly p50: number;
  readonly p99: number;
}

/**
 * A connected client publishes hook events of one session that change its state each time; another waits for the signal of each. QoS 1, commit included.
 * @param rate events a second
 */
export async function measureLatency(port: number, rate: number, seconds: number): Promise<Latency> {
  const samples: number[] = [];
  let sent = { state: '', at: 0 };
  const subscriber = await WireClient.open(port, 'bench-subscriber', (_topic, payload) => {
    if (!payload.includes(`"state":"${sent.state}"`) || sent.at === 0) return;
    samples.push(performance.now() - sent.at);
    sent = { state: '', at: 0 };
  });
  await subscriber.subscribe('signal/claude');
  const publisher = await WireClient.open(port, 'bench-publisher');
  const started = performance.now();
  for (let count = 0; count < rate * seconds; count += 1) {
    await wait(Math.max(0, started + (count * 1000) / rate - performance.now()));
    const asks = count % 2 === 0;
    sent = { state: asks ? 'needs_user' : 'running', at: performance.now() };
    publisher.publish('hook/claude', hookOf(asks ? 'PermissionRequest' : 'PostToolUse', count));
  }
  await wait(200);
  publisher.close();
  subscriber.close();
  return { samples: samples.length, p50: quantile(samples, 0.5), p99: quantile(samples, 0.99) };
}

function hookOf(event: string, count: number): string {
  return JSON.stringify({
    session_id: 'bench',
    cwd: '/home/dev/bench',
    prompt_id: 'prompt',
    hook_event_name: event,
    tool_name: 'Bash',
    tool_use_id: `call-${count}`,
    tool_input: { command: `echo ${count >> 1}` },
  });
}
