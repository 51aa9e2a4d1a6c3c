import { seconds } from '../../protocol/aggregate.ts';
import type { SessionPayload } from '../../protocol/messages/session.ts';
import type { Session } from '../../protocol/session.ts';

/** A session as the bus shows it (`session/<provider>/<key>`). @param project its name as it is to be shown */
export function sessionPayload(session: Session, project: string): SessionPayload {
  return {
    v: 1,
    key: session.key,
    provider: session.provider,
    session_id: session.session_id,
    host: session.host,
    project,
    ...(session.cwd !== undefined && { cwd: session.cwd }),
    state: session.state,
    reason: session.reason,
    lamp: session.lamp,
    since: seconds(session.state_since),
    updated_at: seconds(session.updated_at),
    attentions: session.attentions.map((open) => ({
      id: open.id,
      kind: open.kind,
      ...(open.agent_id !== undefined && { agent_id: open.agent_id }),
      ...(open.tool !== undefined && { tool: open.tool }),
      opened_at: seconds(open.opened_at),
    })),
    background: session.background.length,
    ...(session.entrypoint !== undefined && { entrypoint: session.entrypoint }),
    ...(session.job_id !== undefined && { job_id: session.job_id }),
  };
}
