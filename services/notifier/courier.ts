import type { NtfyClient, NtfyOutcome } from './ntfy-client.ts';
import type { Item } from './outbox.ts';

/** ntfy takes a message for later from 10 s on, up to 3 days (its `message-delay-*`) [s]. */
const SHORTEST_DELAY = 10;
const LONGEST_DELAY = 3 * 24 * 60 * 60;
/** The server's clock may be behind ours by as much [s]. */
const CLOCKS_DIFFER = 60;

/** Brings one item to the server. Never rejects. @param now unix ms */
export async function deliver(client: NtfyClient, item: Item, now: number): Promise<NtfyOutcome> {
  const { message, topic, sequence, cancels, deliver_at, attempted } = item;
  if (message !== undefined) {
    // One that no answer was heard of (a time-out, a hub that was killed) may have arrived; it is not told twice.
    if (
      attempted !== undefined &&
      (await client.holds(message, Math.floor(item.at / 1000) - CLOCKS_DIFFER)) === true
    )
      return { ok: true, replaces: true };
    if (deliver_at === undefined) return client.publish(message);
    const seconds = Math.round((deliver_at - now) / 1000);
    const delay = `${Math.min(LONGEST_DELAY, Math.max(SHORTEST_DELAY, seconds))}s`;
    return client.publish({ ...message, delay });
  }
  // Only this takes back what lies there for later; it takes the shown one with it, and the clear is for apps that know nothing else.
  if (cancels === true) {
    const cancelled = await client.cancel(topic, sequence);
    if (!cancelled.ok) return cancelled;
  }
  return client.clear(topic, sequence);
}
