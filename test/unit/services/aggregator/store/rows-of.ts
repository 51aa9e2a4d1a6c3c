import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Session } from '../../../../../protocol/session.ts';
import { newFacts } from '../../../../../protocol/session.ts';
import type { EventRow } from '../../../../../services/aggregator/store/rows.ts';

export const START = Date.UTC(2026, 10, 30, 10, 0, 0);

/** A key in the form of a session's: 12 hex digits. */
export function keyOf(number: number): string {
  return number.toString(16).padStart(12, '0');
}

export function eventRow(number: number, fields: Partial<EventRow> = {}): EventRow {
  return {
    provider: 'claude',
    key: keyOf(1),
    session_id: 's1',
    event: 'PreToolUse',
    id: `event-${number}`,
    received_at: START + number,
    sent_at: START + number - 1,
    moment: START + number - 1,
    live: true,
    body: JSON.stringify({ v: 1, event: 'PreToolUse', provider: 'claude', session_id: 's1' }),
    ...fields,
  };
}

export function sessionRecord(number: number, fields: Partial<Session> = {}): Session {
  const event = { v: 1, event: 'Stop', provider: 'claude', session_id: `s${number}`, host: 'desk' } as const;
  return {
    ...newFacts(event, START, { running: false, end: 'done', reason: 'stop' }),
    key: keyOf(number),
    project_name: 'web-shop',
    state: 'done',
    reason: 'stop',
    lamp: 'completed',
    state_since: START,
    ...fields,
  };
}

/** The name of a session in a batch. */
export function nameOf({ provider, key }: Session): string {
  return `${provider} ${key}`;
}

/** A new folder of this test, and how to take it away. */
export function scratchFolder(): { folder: string; path: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-store-'));
  return { folder, path: join(folder, 'data', 'hub.db'), remove: () => rmSync(folder, { recursive: true }) };
}
