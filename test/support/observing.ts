import type { EventName } from '../../protocol/events.ts';
import type { StatusReport } from '../../protocol/session.ts';
import type { Outcome } from '../../protocol/table-changes.ts';
import { type Driver, type Fields, SECOND } from './driving.ts';

/** When something reaches the hub, and how much earlier it was [ms]. */
export interface When {
  /** How long after what came before; a second unless said. */
  readonly after?: number;
  /** How long it was under way; not at all unless said. */
  readonly ago?: number;
  readonly live?: boolean;
}

/** A status of the client reaches the hub. */
export function tells(
  driver: Driver,
  value: StatusReport['value'],
  more: Partial<StatusReport> = {},
  { after = SECOND, ago = 0, live = true }: When = {},
): Outcome {
  driver.wait(after);
  const report = { provider: 'claude', session_id: 's1', host: 'studio', value, ...more };
  return driver.table.observe(report, driver.now() - ago, { now: driver.now(), live });
}

/** A hook reaches the hub with the sender's time in its envelope. */
export function sent(
  driver: Driver,
  event: EventName,
  fields: Fields = {},
  { after = SECOND, ago = 0, live = true }: When = {},
): Outcome {
  return driver.hook(event, { sent_at: driver.now() + after - ago, ...fields }, { after, live });
}

/** Started and prompted, with the sender's time: the usual beginning of a session whose sender is ours. */
export function sentBegin(driver: Driver, fields: Fields = {}): void {
  sent(driver, 'SessionStart', { source: 'startup', ...fields });
  sent(driver, 'UserPromptSubmit', { prompt_id: 'p1', ...fields });
}

/** What the bus says of a session. */
export function says(driver: Driver, id?: string): (string | undefined)[] {
  return [driver.state(id), driver.reason(id), driver.lamp(id)];
}
