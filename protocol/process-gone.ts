import type { SessionFacts, StatusInput } from './session.ts';

/** What a watcher has found out about the session's process (spec: state, section 4 rules 7 and 10). */
export function reduceProcess(facts: SessionFacts, input: StatusInput): SessionFacts {
  const { value, process } = input.status;
  if (value === 'dead') return processGone(facts, input);
  const known = value === 'alive' ? process : undefined;
  const isSame =
    known?.pid === facts.process?.pid &&
    known?.start === facts.process?.start &&
    known?.scope === facts.process?.scope;
  return isSame ? facts : { ...facts, process: known };
}

/** The reason of a session whose process was found dead at work. */
export const PROCESS_GONE = 'process_gone';

/**
 * The session's process was found dead (spec: state, section 4 rule 7): at work or in a wait that leaves an error, whatever a file says; else the session is gone. What
 * a client has written before that counts for nothing: it is older than the edge that this is.
 */
function processGone(facts: SessionFacts, { moment, arrival }: StatusInput): SessionFacts {
  // Found by two watchers, or again after a restart.
  if (facts.turn.reason === PROCESS_GONE && !facts.turn.running) return facts;
  const updated_at = Math.max(facts.updated_at, arrival);
  if (!isAtWork(facts)) return { ...facts, gone: true, updated_at };
  const { id, started_at } = facts.turn;
  return {
    ...facts,
    updated_at,
    attentions: [],
    acked: [],
    turn: {
      running: false,
      end: 'failed',
      reason: PROCESS_GONE,
      ended_at: moment,
      end_seen_at: arrival,
      ...(id !== undefined && { id }),
      ...(started_at !== undefined && { started_at }),
    },
    queued: undefined,
    compact: false,
    background: [],
    agents: [],
    open_tools: [],
    status: undefined,
    process: undefined,
    latch: undefined,
    last_hook_at: moment,
    last_hook_seen_at: arrival,
    unstamped: undefined,
    edge_at: moment,
  };
}

/** Background work is work too: what it was to bring is lost (rule 3). */
function isAtWork({ turn, queued, compact, background, attentions }: SessionFacts): boolean {
  return turn.running || queued === 'turn' || compact || background.length > 0 || attentions.length > 0;
}
