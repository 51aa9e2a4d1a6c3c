import { expect, it } from 'vitest';
import type { CanonicalEvent } from '../../../../protocol/events.ts';
import type { Session } from '../../../../protocol/session.ts';
import type { LoggedStep } from '../../../../protocol/table-changes.ts';
import { eventRow, wordRow } from '../../../../services/aggregator/event-row.ts';
import { recentEvents } from '../../../../services/aggregator/recent-events.ts';
import type { Store } from '../../../../services/aggregator/store/hub-store.ts';
import { drive, type Driver, sha256 } from '../../../support/driving.ts';
import { outside, useScratch } from './store/scratch.ts';

const scratch = useScratch();

function eventOf(session_id: string, more: Partial<CanonicalEvent> = {}): CanonicalEvent {
  return { v: 1, event: 'PreToolUse', provider: 'claude', session_id, host: 'studio', tool: 'Bash', ...more };
}

/** Applies and logs events, a millisecond apart. */
function log(driver: Driver, store: Store, events: readonly CanonicalEvent[]): void {
  const rows = events.map((event) => {
    driver.wait(1);
    driver.table.apply(event, { now: driver.now(), live: true });
    return eventRow(event, { arrival: driver.now(), live: true, found: false }, sha256);
  });
  store.commit({ events: rows });
}

const sessionsOf = (driver: Driver): Session[] => [...driver.table.sessions()];

function nameOf(step: LoggedStep): string {
  return 'event' in step ? step.event.event : 'ack' in step ? `ack by ${step.ack.by}` : 'cleared';
}

function sessionOf(step: LoggedStep | undefined): string | undefined {
  return step !== undefined && 'event' in step ? step.event.session_id : undefined;
}

it('gives the whole log of what was heard of within 30 s, in the order of arrival', () => {
  const driver = drive();
  const store = scratch.open();
  const begun = driver.now();
  log(driver, store, [eventOf('quiet')]);
  driver.wait(60_000);
  const late = eventOf('s1', { event: 'UserPromptSubmit', sent_at: begun });
  log(driver, store, [eventOf('s1'), late, eventOf('s1', { event: 'Stop' })]);
  const recent = recentEvents(store, sessionsOf(driver), driver.now());
  expect([...recent.values()].map((events) => events.map(nameOf))).toEqual([
    ['PreToolUse', 'UserPromptSubmit', 'Stop'],
  ]);
  const [[id, events] = ['', []]] = recent;
  expect(id).toBe(`claude ${sessionsOf(driver).find(({ session_id }) => session_id === 's1')?.key}`);
  expect(events.map((step) => 'arrival' in step && step.arrival)).toEqual([
    driver.now() - 2,
    driver.now() - 1,
    driver.now(),
  ]);
  expect(events[1]).toMatchObject({ event: late });
});

it('of a session of more than 2,000 events it gives none, of more than 300 sessions the last', () => {
  const driver = drive();
  const store = scratch.open();
  log(driver, store, [eventOf('before'), ...Array.from({ length: 300 }, (_, index) => eventOf(`s${index}`))]);
  log(
    driver,
    store,
    Array.from({ length: 2_001 }, () => eventOf('long')),
  );
  const recent = recentEvents(store, sessionsOf(driver), driver.now());
  const told = [...recent.values()].map((events) => sessionOf(events[0]));
  expect(told).toHaveLength(299);
  expect(told).not.toContain('long');
  expect(told).not.toContain('before');
  expect(told).toContain('s299');
});

it('leaves out what can’t be read back', () => {
  const driver = drive();
  const store = scratch.open();
  log(driver, store, [eventOf('s1'), eventOf('s1', { event: 'Stop' })]);
  outside(scratch.path, (database) => database.prepare("UPDATE event SET body = '{' WHERE seq = 1").run());
  const recent = recentEvents(store, sessionsOf(driver), driver.now());
  expect([...recent.values()].map((events) => events.map(nameOf))).toEqual([['Stop']]);
});

it('with what a person has said, as far as that is a step', () => {
  const driver = drive();
  const store = scratch.open();
  log(driver, store, [eventOf('s1')]);
  const [session] = sessionsOf(driver) as [Session];
  const by = { role: 'operator', how: 'socket' } as const;
  const at = driver.now();
  const said = (['ack', 'snooze', 'pause', 'clear'] as const).map((command) =>
    wordRow({ command, by, at }, session),
  );
  store.commit({ events: [...said, { ...wordRow({ command: 'ack', by, at }, session), body: '{}' }] });
  const [steps = []] = recentEvents(store, [session], at).values();
  expect(steps.map(nameOf)).toEqual(['PreToolUse', 'ack by local', 'cleared', 'ack by ']);
});
