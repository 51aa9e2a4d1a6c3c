import type { Session } from '../../protocol/session.ts';
import type { StoredTable } from '../../protocol/table-changes.ts';
import { type Driver, MINUTE } from './driving.ts';

/** The user acknowledges a session, at this moment; all that waits without one. @returns the ids of those for whom there was something to know */
export function ack(driver: Driver, session_id?: string): string[] {
  const { table, now } = driver;
  driver.wait(0);
  const meant = [...table.sessions()].filter((session) =>
    session_id === undefined ? table.wantsAck(session) : session.session_id === session_id,
  );
  return table.acknowledge(meant, 'local', now()).map((session) => session.session_id);
}

/** All that a hub would have written down, read back through JSON. */
export function storedAs({ table }: Driver): StoredTable {
  const { sessions, providers, pauses } = table.everything();
  const plain = {
    sessions: [...sessions.values()] as Session[],
    providers: [...providers.values()],
    pauses: [...pauses.values()],
  };
  return JSON.parse(JSON.stringify(plain)) as StoredTable;
}

/** The user pauses everything, or a part. */
export function pause(driver: Driver, minutes?: number, scope = 'all'): void {
  driver.wait(0);
  const until = minutes === undefined ? undefined : driver.now() + minutes * MINUTE;
  driver.table.pause(scope, until, 'local', driver.now());
}

/** The user resumes. @returns the scopes that were paused */
export function resume(driver: Driver, scope = 'all'): string[] {
  return driver.table.resume(scope, driver.now()).map((ended) => ended.scope);
}

/** The lamps of all, of Claude twice, of Codex and of a session. */
export function lamps({ table, the }: Driver, session?: string) {
  return [
    table.lampAll(),
    table.lamp('claude'),
    table.signal('claude').lamp,
    table.lamp('codex'),
    table.lampOf(the(session)),
  ];
}
