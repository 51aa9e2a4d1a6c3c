import { seconds } from '../../protocol/aggregate.ts';
import type { SessionPayload } from '../../protocol/messages/session.ts';
import type { Session } from '../../protocol/session.ts';
import type { LampState } from '../../protocol/states.ts';

/** What a session is shown with: names and lamps are the table's matter. */
interface Showing {
  projectOf(session: Session): string;
  lampOf(session: Session): LampState;
}

/** A session as the bus shows it (`session/<provider>/<key>`). @param table whose it is */
export function sessionPayload(session: Session, table: Showing): SessionPayload {
  return {
    v: 1,
    key: session.key,
    provider: session.provider,
    session_id: session.session_id,
    host: session.host,
    project: table.projectOf(session),
    ...(session.cwd !== undefined && { cwd: session.cwd }),
    state: session.state,
    reason: session.reason,
    lamp: table.lampOf(session),
    since: seconds(session.state_since),
    updated_at: seconds(session.updated_at),
    attentions: session.attentions.map((open) => ({
      id: open.id,
      kind: open.kind,
      ...(open.agent_id !== undefined && { agent_id: open.agent_id }),
      ...(open.tool !== undefined && { tool: open.tool }),
      opened_at: seconds(open.opened_at),
      ...(session.acked.includes(open.id) && { acked: true as const }),
    })),
    background: session.background.length,
    ...(session.entrypoint !== undefined && { entrypoint: session.entrypoint }),
    ...(session.job_id !== undefined && { job_id: session.job_id }),
    ...(session.alerted !== undefined && { alerts: session.alerted }),
    ...(session.replayed === true && { replayed: true as const }),
    ...(session.snoozed_until !== undefined && { snoozed_until: seconds(session.snoozed_until) }),
  };
}
