import { ATTENTION_PRIORITY, type AttentionState } from './states.ts';

interface Urgent {
  readonly key: string;
  readonly state: AttentionState;
  readonly since: number;
}

/** Those that wait for the user first, of these the newest. */
export function byUrgency(a: Urgent, b: Urgent): number {
  return (
    ATTENTION_PRIORITY[a.state] - ATTENTION_PRIORITY[b.state] || b.since - a.since || (a.key < b.key ? -1 : 1)
  );
}
