import { randomUUID } from 'node:crypto';
import type { Link } from './link.ts';

/**
 * Resolves when a message of our own has come back: whatever the broker had for our subscriptions before it is here by then.
 * @param id whose barrier it is: two parts of one hub may each have one
 */
export async function barrier(link: Link, id: string): Promise<void> {
  // No command has this name, so nobody takes it for an answer.
  const command = `barrier-${id}`;
  const transaction = randomUUID();
  let arrived: (() => void) | undefined;
  const back = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const end = await link.subscribe('response', { command }, ({ payload }) => {
    if (Buffer.from(payload).toString('utf8').includes(transaction)) arrived?.();
  });
  await link.publish('response', { command }, { transaction, ok: true });
  await back;
  await end();
}
