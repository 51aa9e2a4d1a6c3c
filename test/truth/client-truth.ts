import type { RecordedLine } from '../../protocol/sources/recording.ts';
import type { Labels, Recording } from './recordings.ts';

/** What a client did at a moment: waited for its user, worked, rested, or was gone. */
export type Doing = 'waits' | 'works' | 'rests' | 'gone';

/** From `at` on, until the next one. Times are milliseconds since the recording's start. */
export interface Edge {
  readonly at: number;
  readonly doing: Doing;
  /** What the status itself says that it waits for. */
  readonly waiting_for?: string;
}

/** What each session really did, by session id, in order. */
export type Truth = ReadonlyMap<string, readonly Edge[]>;

/** The truth of a recording: its labels, or else the status that the client itself kept. */
export function truthOf(recording: Recording, labels: Labels): Truth {
  const labelled = labels[recording.scenario];
  return labelled === undefined ? fromStatuses(recording.lines) : fromLabels(labelled);
}

function fromLabels(labelled: Labels[string]): Truth {
  const doing = { needs_user: 'waits', running: 'works', idle: 'rests' } as const;
  const sessions = Object.entries(labelled ?? {}).map(([id, spans]): [string, Edge[]] => {
    const edges = spans.flatMap(({ from_ms, to_ms, state }, index): Edge[] => {
      const here: Edge = { at: from_ms, doing: doing[state] };
      return spans[index + 1]?.from_ms === to_ms ? [here] : [here, { at: to_ms, doing: 'gone' }];
    });
    return [id, edges];
  });
  return new Map(sessions);
}

/** A session file as it was last seen. */
interface Seen {
  sessionId?: string;
  status?: string;
}

function fromStatuses(lines: readonly RecordedLine[]): Truth {
  const files = new Map<string, Seen>();
  const truth = new Map<string, Edge[]>();
  const tell = (id: string | undefined, edge: Edge): void => {
    if (id === undefined) return;
    const edges = truth.get(id) ?? [];
    truth.set(id, edges);
    if (edges.at(-1)?.doing !== edge.doing) edges.push(edge);
  };
  for (const { sessionFile, changed = {}, removed, tMs: at } of lines) {
    if (sessionFile === undefined) continue;
    const seen = files.get(sessionFile) ?? {};
    files.set(sessionFile, seen);
    if (removed === true) {
      tell(seen.sessionId, { at, doing: 'gone' });
      continue;
    }
    const { sessionId, status, waitingFor } = changed;
    if (typeof sessionId === 'string' && sessionId !== seen.sessionId) {
      tell(seen.sessionId, { at, doing: 'gone' });
      seen.sessionId = sessionId;
      if (seen.status !== undefined) tell(sessionId, { at, doing: doingOf(seen.status) });
    }
    if (typeof status !== 'string') continue;
    seen.status = status;
    const waits = typeof waitingFor === 'string' && { waiting_for: waitingFor };
    tell(seen.sessionId, { at, doing: doingOf(status), ...waits });
  }
  return truth;
}

function doingOf(status: string): Doing {
  if (status === 'waiting') return 'waits';
  return status === 'busy' || status === 'shell' ? 'works' : 'rests';
}

/** The last of `list` that has begun at that time. */
export function lastAt<T extends { readonly at: number }>(list: readonly T[], time: number): T | undefined {
  return list.findLast(({ at }) => at <= time);
}
