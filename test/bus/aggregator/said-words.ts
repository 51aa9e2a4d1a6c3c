import { join } from 'node:path';
import Database from 'better-sqlite3';
import { ALERT_SETTLE } from '../../../protocol/expiry.ts';
import { type AskedHub, startAsked } from './asking.ts';
import type { HubInProcess } from './hub-in-process.ts';

const BASH = { tool_name: 'Bash', tool_input: { command: 'make' } };

/** A session that waits and has alerted. */
export async function waiting(): Promise<AskedHub> {
  const hub = await startAsked();
  await hub.send('UserPromptSubmit', 'shop');
  await hub.send('PermissionRequest', 'shop', BASH);
  hub.clock.advance(ALERT_SETTLE);
  await hub.published();
  return hub;
}

/** The user's words in the log, in order. */
export function words({ home }: HubInProcess): unknown[] {
  const database = new Database(join(home, 'signalbox.db'), { readonly: true });
  try {
    return database
      .prepare<[], Record<'event' | 'provider' | 'session_id' | 'body', string> & { received_at: number }>(
        "SELECT event, provider, session_id, received_at, body FROM event WHERE event GLOB '[a-z]*' ORDER BY seq",
      )
      .all()
      .map(({ body, ...row }) => ({ ...row, body: JSON.parse(body) as unknown }));
  } finally {
    database.close();
  }
}

/** A provider's state, lamp and alert counter as they were last told. */
export function signal(hub: HubInProcess, provider = 'claude') {
  const { lamp, alert, attention } = hub.bus.signal(provider) ?? {};
  return [attention?.state, lamp, alert];
}
