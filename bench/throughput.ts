import { EventEmitter, once } from 'node:events';
import { WireClient } from './wire-client.ts';

export interface Throughput {
  readonly events: number;
  readonly perSecond: number;
}

/** Unacknowledged events on the way at any time. */
const WINDOW = 200;
const EVENTS = ['PreToolUse', 'PostToolUse', 'PermissionRequest', 'PostToolUse'] as const;

/** One connected client publishes as fast as the hub acknowledges, QoS 1, each event on disk before its PUBACK. */
export async function measureThroughput(port: number, events: number, sessions: number): Promise<Throughput> {
  const client = await WireClient.open(port, 'bench-storm');
  const done = new EventEmitter();
  let sent = 0;
  let acked = 0;
  function send(): void {
    for (; sent < events && sent - acked < WINDOW; sent += 1)
      client.publish('hook/claude', stormEvent(sent, sessions));
  }
  client.onAck = () => {
    acked += 1;
    if (acked === events) done.emit('all');
    else send();
  };
  const all = once(done, 'all');
  const started = performance.now();
  send();
  await all;
  const seconds = (performance.now() - started) / 1000;
  client.close();
  return { events, perSecond: events / seconds };
}

function stormEvent(count: number, sessions: number): string {
  const session = count % sessions;
  const round = Math.floor(count / sessions);
  return JSON.stringify({
    session_id: `storm-${session}`,
    cwd: `/home/dev/project-${session}`,
    transcript_path: `/home/dev/.claude/projects/storm-${session}.jsonl`,
    prompt_id: 'prompt',
    permission_mode: 'default',
    hook_event_name: EVENTS[round % EVENTS.length],
    tool_name: 'Bash',
    tool_use_id: `call-${count}`,
    tool_input: { command: `echo ${Math.floor(round / EVENTS.length)}` },
  });
}
