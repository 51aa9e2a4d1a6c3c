import { expect, onTestFinished, vi } from 'vitest';
import { createTopics } from '../../../protocol/topics.ts';
import { connectLink, type Link, type LinkMessage, type LinkOptions } from '../../../runtime/link.ts';
import { createLog, type Log } from '../../../runtime/log.ts';

export const topics = createTopics();
const SOON = { baseMs: 5, capMs: 20 };

/** A link that comes back fast and ends with the running test. */
export function testLink(options: Partial<LinkOptions>): Link {
  const link = connectLink({ topics, log: quiet(), reconnect: SOON, closeTimeoutMs: 500, ...options });
  onTestFinished(() => link.close());
  return link;
}

export function quiet(): Log {
  return createLog({ level: 'silent', format: 'json', stream: { write: () => true } });
}

/** A log whose lines can be read. */
export function readableLog(): { readonly log: Log; readonly lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const stream = { write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>) };
  return { log: createLog({ level: 'debug', format: 'json', stream }), lines };
}

/** Remembers what came in, as `topic payload`, with `(retained)` behind it where that is so. */
export function inbox(): { readonly seen: string[]; readonly take: (message: LinkMessage) => void } {
  const seen: string[] = [];
  return {
    seen,
    take: ({ topic, payload, retained }) =>
      void seen.push(`${topic} ${Buffer.from(payload).toString()}${retained ? ' (retained)' : ''}`),
  };
}

/** Waits until `actual` gives what is expected. */
export async function eventually<T>(actual: () => T, expected: T): Promise<void> {
  await vi.waitFor(() => expect(actual()).toEqual(expected), { timeout: 10_000, interval: 5 });
}
