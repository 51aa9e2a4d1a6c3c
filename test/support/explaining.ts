import type { CanonicalEvent } from '../../protocol/events.ts';
import { DEFAULT_TIMEOUTS } from '../../protocol/expiry.ts';
import { explain, type ExplainContext } from '../../protocol/explain.ts';
import type { LoggedEvent } from '../../protocol/explain-evidence.ts';
import type { Explanation } from '../../protocol/messages/explain.ts';
import type { Received, Session, StatusReport } from '../../protocol/session.ts';
import type { Outcome } from '../../protocol/table-changes.ts';
import { type Driver, drive, type DriveOptions, SECOND } from './driving.ts';

/** A driven table whose event log is kept, with a client's status beside the hooks. */
export type Teller = Driver & {
  readonly log: LoggedEvent[];
  /** The client's own status, a second after what came before. */
  status(value: StatusReport['value'], waiting_for?: string): Outcome;
};

/** An entry of the log, as the hub keeps it. */
export function logged(event: CanonicalEvent, { now, live }: Received): LoggedEvent {
  const { event: name, signal, tool, agent_id, notification } = event;
  return {
    event: name,
    ...(signal !== undefined && { signal }),
    ...(tool !== undefined && { tool }),
    ...(agent_id !== undefined && { agent_id }),
    ...(notification !== undefined && { notification }),
    moment: Math.min(event.sent_at ?? now, now),
    arrival: now,
    live,
  };
}

export function telling(options: DriveOptions = {}): Teller {
  const driver = drive(options);
  const log: LoggedEvent[] = [];
  const { table } = driver;
  const apply = table.apply.bind(table);
  table.apply = (event, received) => {
    log.push(logged(event, received));
    return apply(event, received);
  };
  return {
    ...driver,
    log,
    status(value, waiting_for) {
      driver.wait(SECOND);
      const of = { provider: 'claude', session_id: 's1', host: 'studio', cwd: '/home/dev/shop' };
      const said = waiting_for === undefined ? {} : { waiting_for };
      const now = driver.now();
      return table.observe({ ...of, value, ...said }, now, { now, live: true });
    },
  };
}

/** Why the teller's session is what it is. @param change what differs in the record or around it */
export function explained(
  teller: Teller,
  change: Partial<ExplainContext> & { readonly record?: Partial<Session> } = {},
): Explanation {
  const { record, ...context } = change;
  const session = { ...teller.the(), ...record };
  return explain(
    session,
    {
      project: teller.table.projectOf(session),
      timeouts: DEFAULT_TIMEOUTS,
      rules: { background: 'all' },
      log: teller.log,
      refused: [],
      commands: ['explain', 'sessions'],
      ...context,
    },
    teller.now(),
  );
}
