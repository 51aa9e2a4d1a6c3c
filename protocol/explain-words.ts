import type { StateRule, TimerHold, Ahead } from './derive.ts';
import type { LampRule } from './lamp.ts';
import { EVERYTHING, type Pause } from './pauses.ts';
import { PROCESS_GONE } from './process-gone.ts';
import { isSessionId } from './session-key.ts';
import type { SessionFacts, TurnEnd } from './session.ts';
import type { LampState } from './states.ts';

/** The rules of an explanation: those of the derivation, and that it was a client's status which brought the deciding fact (rule 7). */
export type ExplainedRule = StateRule | 'status_newer';

const RULES: Readonly<Record<Exclude<ExplainedRule, 'turn_end'>, string>> = {
  raw_signal: 'A script has sent the signal "stale": nothing is believed until the session\'s next event.',
  open_request: 'It has asked for something and waits for you. An open request comes before anything else.',
  turn_runs: 'Its turn is under way: it began, and nothing has told of its end.',
  compaction: 'It is compacting its context, outside a turn.',
  queued_prompt: 'The prompt that was typed during the last turn has a turn of its own now.',
  failed_end: 'Its last turn ended in an error, and no new one has begun.',
  background_work: 'Its turn is over, but what it started in the background goes on.',
  status_newer: 'Its client says so itself, and no hook that is newer says otherwise.',
  expired: 'Nothing has been heard of it for too long, so nothing supports a state any more.',
};

/** How a turn that is over leaves a session where nothing else holds. */
const ENDS: Readonly<Record<TurnEnd, string>> = {
  fresh: 'It has started, and nobody has prompted it yet.',
  done: 'Its last turn is done; nothing runs and nothing is open.',
  scheduled: 'Its turn is done, and it goes on by itself at a time that it has set.',
  failed: 'Its last turn ended in an error.',
  interrupted: 'Its last turn was interrupted; nothing runs and nothing is open.',
  idle: 'Nothing runs and nothing is open.',
};

/** A rule as a person would put it. */
export function ruleWords(rule: ExplainedRule, { turn }: SessionFacts): string {
  if (rule === 'failed_end' && turn.reason === PROCESS_GONE)
    return 'Its process was found dead while it worked or waited.';
  return rule === 'turn_end' ? ENDS[turn.end] : RULES[rule];
}

const LAMPS: Readonly<Record<Exclude<LampRule, 'open_request'>, string>> = {
  failed_end: 'The last turn failed.',
  unknown: 'What it does is not known, and green would be a guess.',
  fresh: 'It has only just started.',
  running: 'Something is under way.',
  completed: 'A turn has just been done.',
  at_rest: 'Nothing is asked of you.',
};

/** Why the lamp is what it is. */
export function lampWords(rule: LampRule | 'latch', lamp: LampState): string {
  if (rule === 'latch') return latchWords(lamp);
  if (rule !== 'open_request') return LAMPS[rule];
  return lamp === 'permission' ? 'A request needs your decision.' : 'A request needs a look, not a decision.';
}

function latchWords(lamp: LampState): string {
  if (lamp === 'paused') return "A script has paused it until the session's next event.";
  if (lamp === 'stale') return "A script has called it stale; that stays until the session's next event.";
  return 'An alert that nobody has seen stays on, until the session works again, is interrupted or goes.';
}

/** Why the lamp is `paused`, where the user has said so. */
export function pauseWords({ scope, until }: Pick<Pause, 'scope' | 'until'>): string {
  const what = scope === EVERYTHING ? 'everything' : isSessionId(scope) ? 'this session' : 'this agent';
  return `You have paused ${what}, ${until === undefined ? 'until you resume it' : 'for a time'}. Its state goes on, and alerts nobody.`;
}

/** What a coming moment brings. */
export function aheadWords(what: Ahead['what'] | 'alert', leavesStale: boolean): string {
  switch (what) {
    case 'unknown':
      return 'it becomes "not known", if nothing is heard until then';
    case 'removed':
      return leavesStale
        ? 'it leaves the table, if nothing is heard until then; with no other session the lamp then shows "not known"'
        : 'it leaves the table, if nothing is heard until then';
    case 'raised':
      return 'a request that is held back counts, if it is still open';
    case 'lamp_ready':
      return 'the lamp goes from completed to ready';
    case 'status_settles':
      return "its client's status counts, if no newer hook comes and it was written since the last turn began or ended";
    case 'alert':
      return 'it alerts, if it still waits';
  }
}

/** Why no time runs. @param tools under way */
export function holdWords(by: TimerHold, tools: readonly string[]): string {
  if (by === 'status') return 'Its client says that it is at work or waits, so nothing runs out.';
  const names = [...new Set(tools)].join(', ');
  if (by === 'live_tool')
    return `A tool is under way (${names}), and its process is alive. One that takes long is not stale.`;
  return `A tool is under way (${names}). One that takes long is not stale: it may take 2 hours.`;
}
