import type { Picked } from './hook-fields.ts';
import { type Fields, isFields, textOf } from './fields.ts';

/** What the sender wraps an agent's JSON in (spec: agents, section 1), opened. */
export interface Opened {
  /** The agent's own JSON. */
  readonly hook: Fields;
  /** What the sender adds; nothing for a payload without an envelope. */
  readonly sender: Picked;
  /** The event's name, where the agent hands it over beside its JSON (Copilot). */
  readonly event: string | undefined;
}

/**
 * Opens the sender's envelope `{v: 1, id, sent_at, host, ppid, tty, event, env, hook}`; any other payload is handed back as it is. One envelope
 * only, read at the top level: an envelope inside is data.
 * @param provider slug: what Claude Code tells its children in the environment is believed of its own hooks alone, since an agent that is started
 *   inside Claude inherits it
 */
export function openEnvelope(payload: Fields, provider: string): Opened {
  const hook = payload['hook'];
  if (payload['v'] !== 1 || !isFields(hook) || textOf(payload['hook_event_name']) !== undefined) {
    return { hook: payload, sender: {}, event: undefined };
  }
  const env = isFields(payload['env']) ? payload['env'] : {};
  return {
    hook,
    event: textOf(payload['event']),
    sender: {
      enveloped: true,
      id: payload['id'],
      sent_at: payload['sent_at'],
      host: payload['host'],
      ppid: payload['ppid'],
      tty: payload['tty'],
      tmux_pane: env['TMUX_PANE'],
      term_program: env['TERM_PROGRAM'],
      job_id: env['SIGNALBOX_JOB_ID'],
      ssh: Boolean(env['SSH_CONNECTION']),
      ...(provider === 'claude' ? claudeEnvironment(env) : {}),
    },
  };
}

function claudeEnvironment(env: Fields): Picked {
  const pid = env['CLAUDE_PID'];
  return {
    pid: typeof pid === 'string' && /^\d{1,10}$/.test(pid) ? Number(pid) : pid,
    entrypoint: env['CLAUDE_CODE_ENTRYPOINT'],
    child_session: Boolean(env['CLAUDE_CODE_CHILD_SESSION']),
  };
}
