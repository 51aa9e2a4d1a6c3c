import type { StatusReport, StatusValue } from '../session.ts';

/** What Claude Code says of itself in `<config>/sessions/<pid>.json`. Undocumented: a shape that doesn't fit turns the source off. */
export interface ClaudeStatus {
  readonly report: Omit<StatusReport, 'host'>;
  /** The client's own time stamp, unix ms. */
  readonly moment: number;
}

const VALUES: ReadonlySet<string> = new Set<StatusValue>(['idle', 'busy', 'waiting', 'shell']);

/**
 * Reads one session file's JSON (seen with Claude Code 2.1.332). `undefined`: it says nothing yet (no status is written in the first moments).
 * @throws TypeError when the shape is another one
 */
export function readClaudeSession(file: unknown): ClaudeStatus | undefined {
  if (typeof file !== 'object' || file === null || Array.isArray(file)) throw unknownShape();
  const { sessionId, status, statusUpdatedAt, waitingFor, pid, cwd, entrypoint } = file as Record<
    string,
    unknown
  >;
  if (status === undefined) return undefined;
  if (
    typeof sessionId !== 'string' ||
    typeof status !== 'string' ||
    !VALUES.has(status) ||
    typeof statusUpdatedAt !== 'number'
  ) {
    throw unknownShape();
  }
  return {
    report: {
      provider: 'claude',
      session_id: sessionId,
      value: status as StatusValue,
      ...(status === 'waiting' && typeof waitingFor === 'string' && { waiting_for: waitingFor }),
      ...(typeof pid === 'number' && { pid }),
      ...(typeof cwd === 'string' && { cwd }),
      ...(typeof entrypoint === 'string' && { entrypoint }),
    },
    moment: statusUpdatedAt,
  };
}

function unknownShape(): TypeError {
  return new TypeError('not a session file of Claude Code as it is known');
}

/**
 * What one look at a session file tells, after what it held before: the old session of a file that names another one is gone, unless another process has resumed it.
 * @param others what the other files hold @param seenAt unix ms
 */
export function changesOf(
  before: ClaudeStatus | undefined,
  now: ClaudeStatus | undefined,
  seenAt: number,
  others: Iterable<ClaudeStatus> = [],
): ClaudeStatus[] {
  const told: ClaudeStatus[] = [];
  if (before !== undefined && now?.report.session_id !== before.report.session_id) {
    const { provider, session_id } = before.report;
    const lives = [...others].some(({ report }) => report.session_id === session_id);
    if (!lives) told.push({ report: { provider, session_id, value: 'gone' }, moment: seenAt });
  }
  if (now !== undefined) told.push(now);
  return told;
}
