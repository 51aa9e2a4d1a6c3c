import { z } from 'zod';
import { count, id, name, path, seconds, sessionKey, transaction, version, wordText } from './fields.ts';

/** Why a job waits (spec: agent-view, section 2). */
export const JOB_BLOCK_REASONS = [
  'question',
  'permission',
  'plan',
  'dialog',
  'login',
  'first-prompt',
] as const;

/** `job/<id>`: one background session, after each write of its state file. The launch token is never in it. */
export const jobPayload = z.strictObject({
  v: version,
  id,
  /** Grows with each write; a smaller one is old news. */
  revision: count,
  /** Grows when the job's process is started anew. */
  generation: count,
  /** The agent it runs, or `shell`. */
  agent: wordText,
  name,
  cwd: path,
  state: z.enum(['working', 'blocked', 'done', 'failed', 'stopped']),
  tempo: z.enum(['active', 'idle', 'blocked']),
  /** Always with `blocked`, never without. */
  blocked_on: z.enum(JOB_BLOCK_REASONS).exactOptional(),
  /** The session that reports for it, once a hook has named it. */
  session: sessionKey.exactOptional(),
  created_at: seconds,
  updated_at: seconds,
  first_terminal_at: seconds.exactOptional(),
  exit_code: z.int().exactOptional(),
});
export type JobPayload = z.infer<typeof jobPayload>;

/** `job/<id>/endpoint`: where to attach. Verify pid and start before anything is signalled: a pid is used again. */
export const jobEndpointPayload = z.strictObject({
  v: version,
  pid: z.int().positive(),
  /** Start time as the system tells it. */
  started: z.string().max(64),
  socket: path,
  /** Of the control protocol. */
  protocol: count,
});
export type JobEndpointPayload = z.infer<typeof jobEndpointPayload>;

/** The longest reply [UTF-16 code units]: below the bus's own limit for a packet. */
const LONGEST_REPLY = 16_384;

/** `job/<id>/reply`: a letter to the agent. Anybody with the right may write one, so unknown keys are left out. */
export const jobReplyPayload = z.object({ text: z.string().min(1).max(LONGEST_REPLY), transaction });
export type JobReplyPayload = z.infer<typeof jobReplyPayload>;
