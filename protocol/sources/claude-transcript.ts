import { cutDown } from '../event-fields.ts';
import type { CanonicalEvent } from '../events.ts';

/** How Claude Code writes down that the user has pressed Esc or said No. */
const MARKER = '[Request interrupted by user';

/**
 * Reads one line of a Claude Code transcript (seen with 2.1.332): the mark of an interrupt, as an event at the line's own time; `undefined` for all else. A subagent's is in a
 * transcript of its own; what a user has typed is text, not a list of parts. The text is matched and dropped.
 */
export function readTranscriptLine(line: string, session: string): CanonicalEvent | undefined {
  // Most lines end here, unread.
  if (!line.includes(MARKER)) return undefined;
  const entry = record(parsed(line));
  const content = record(entry?.['message'])?.['content'];
  const first = Array.isArray(content) ? record(content[0]) : undefined;
  const text = first?.['text'];
  const at = Date.parse(String(entry?.['timestamp']));
  const isMark =
    entry?.['type'] === 'user' &&
    entry['isSidechain'] !== true &&
    entry['sessionId'] === session &&
    typeof text === 'string' &&
    text.startsWith(MARKER) &&
    at >= 0;
  if (!isMark) return undefined;
  return cutDown({
    event: 'Interrupt',
    provider: 'claude',
    session_id: session,
    sent_at: at,
    enveloped: true,
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function record(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}
