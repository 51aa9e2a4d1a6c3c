import type { StatusReport, StatusValue } from '../session.ts';

/** One session of `claude agents --json`. */
export type ListedAgent = Omit<StatusReport, 'host'> & { readonly value: StatusValue };

const VALUES: ReadonlySet<string> = new Set<StatusValue>(['idle', 'busy', 'waiting', 'shell']);

/**
 * Reads what `claude agents --json` prints (documented; seen with Claude Code 2.1.332): the sessions that run. Those that have ended are listed too, without a status.
 * @throws TypeError when the shape is another one
 */
export function readClaudeAgents(text: string): ListedAgent[] {
  const list = parsed(text);
  if (!Array.isArray(list)) throw unknownShape();
  return list.flatMap((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) throw unknownShape();
    const { sessionId, status, waitingFor, pid, cwd } = entry as Record<string, unknown>;
    if (status === undefined || sessionId === undefined) return [];
    if (typeof sessionId !== 'string' || typeof status !== 'string' || !VALUES.has(status))
      throw unknownShape();
    return [
      {
        provider: 'claude',
        session_id: sessionId,
        value: status as StatusValue,
        ...(status === 'waiting' && typeof waitingFor === 'string' && { waiting_for: waitingFor }),
        ...(typeof pid === 'number' && { pid }),
        ...(typeof cwd === 'string' && { cwd }),
      },
    ];
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unknownShape(): TypeError {
  return new TypeError('not what "claude agents --json" is known to print');
}
