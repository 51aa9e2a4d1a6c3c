import { WireClient } from './wire-client.ts';

/** Unacknowledged events on the way at any time. */
const WINDOW = 200;
const EVENTS = ['PreToolUse', 'PostToolUse', 'PermissionRequest', 'PostToolUse'] as const;

/** A storm of events of as many sessions, made before the clock runs: four of each session in turn, of which each changes its state or evidence. */
export function stormEvents(count: number, sessions: number, first = 0): readonly Buffer[] {
  return Array.from({ length: count }, (_, index) => Buffer.from(stormEvent(first + index, sessions)));
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

/** Publishes all as fast as they are acknowledged, at QoS 1, over one connection. Resolves when the last is acknowledged. @returns seconds */
export async function publishAll(port: number, events: readonly Buffer[]): Promise<number> {
  const client = await WireClient.open(port, 'bench-storm');
  let sent = 0;
  let acked = 0;
  const started = performance.now();
  await new Promise<void>((resolve) => {
    const send = (): void => {
      for (; sent < events.length && sent - acked < WINDOW; sent += 1)
        client.publish('hook/claude', events[sent] as Buffer);
    };
    client.onAck = () => {
      acked += 1;
      if (acked === events.length) resolve();
      else send();
    };
    send();
  });
  const seconds = (performance.now() - started) / 1000;
  client.close();
  return seconds;
}
