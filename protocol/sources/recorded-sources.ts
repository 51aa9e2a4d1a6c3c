import { changesOf, type ClaudeStatus, readClaudeSession } from './claude-sessions.ts';
import { readRolloutLine, type RolloutEvent, type RolloutState, threadOf } from './codex-rollout.ts';
import { type CopilotLogState, type LoggedCopilotEvent, readCopilotLine } from './copilot-events.ts';
import type { RecordedLine } from './recording.ts';

/** A status as a watcher would have found it. */
export type RecordedStatus = ClaudeStatus & {
  /** When the file had changed, unix ms. */
  readonly seenAt: number;
};

/** The statuses of a recording's session files, in order: each line holds the fields that had new values. @param zero unix ms of the recording's zero */
export function recordedStatuses(lines: readonly RecordedLine[], zero: number): RecordedStatus[] {
  const files = new Map<string, Record<string, unknown>>();
  const known = new Map<string, ClaudeStatus>();
  const told: RecordedStatus[] = [];
  for (const { sessionFile, changed = {}, removed = false, tMs } of lines) {
    if (sessionFile === undefined) continue;
    const seenAt = zero + tMs;
    const file = removed ? {} : { ...files.get(sessionFile), ...changed };
    files.set(sessionFile, file);
    // Only `changed` tells that a client waits for nothing any more: a value that is gone is not written there.
    if (changed['status'] !== undefined && changed['waitingFor'] === undefined) delete file['waitingFor'];
    const before = known.get(sessionFile);
    known.delete(sessionFile);
    try {
      const now = removed ? undefined : readClaudeSession(file);
      for (const status of changesOf(before, now, seenAt, known.values())) told.push({ ...status, seenAt });
      if (now !== undefined) known.set(sessionFile, now);
    } catch {
      // Another shape turns the source off: from here on the hooks stand alone.
      return told;
    }
  }
  return told;
}

/** The events of the Codex rollouts beside a recording; each line names its file in `_file`. What a review tells is about the thread whose turn has asked. */
export function recordedRollout(text: string): RolloutEvent[] {
  const states = new Map<string, RolloutState>();
  const threads = new Map<string, string>();
  const events: RolloutEvent[] = [];
  for (const line of text.split('\n')) {
    const thread = threadOf(/"_file": ?"([^"]*)"/.exec(line)?.[1] ?? '');
    if (thread === undefined) continue;
    const { event, state } = readRolloutLine(line, thread, states.get(thread) ?? {});
    states.set(thread, state);
    if (state.turn !== undefined) threads.set(state.turn, thread);
    if (event !== undefined) events.push(event);
  }
  return events.flatMap((event) => {
    if (event.reviewer === undefined || event.prompt_id === undefined) return [event];
    const session_id = threads.get(event.prompt_id);
    return session_id === undefined ? [] : [{ ...event, session_id }];
  });
}

/** The log's line that names its session; a live one's is named by its folder. */
const NAMES_SESSION = /^\{"type": ?"session\.start".*?"sessionId": ?"([^"]+)"/;

/** The events of the Copilot logs beside a recording, one after the other; each begins with the line that names its session. @param digest as `readCopilotLine` takes it */
export function recordedCopilotLog(
  text: string,
  digest: (input: unknown) => string | undefined,
): LoggedCopilotEvent[] {
  const events: LoggedCopilotEvent[] = [];
  let session: string | undefined;
  let state: CopilotLogState = {};
  for (const line of text.split('\n')) {
    const named = NAMES_SESSION.exec(line)?.[1];
    if (named !== undefined) [session, state] = [named, {}];
    if (session === undefined) continue;
    const read = readCopilotLine(line, session, state, digest);
    state = read.state;
    if (read.event !== undefined) events.push(read.event);
  }
  return events;
}
