import type { ReplayedChange } from '../../protocol/replay.ts';
import type { AttentionState } from '../../protocol/states.ts';
import { type Edge, lastAt, type Truth } from './client-truth.ts';
import { type TurnEnd, type Word, wordsOf } from './end-words.ts';
import type { Recording } from './recordings.ts';
import { type Said, saidOf } from './said.ts';
import { endOf } from './time-score.ts';

/** An end that the bus told wrongly. Times are milliseconds since the recording's start. */
export interface WrongEnd {
  readonly scenario: string;
  readonly at: number;
  /** `untold`: nobody has said how, so it must not be called done or an error. */
  readonly want: TurnEnd | 'untold';
  readonly got: AttentionState | null;
}

export interface EndScore {
  readonly right: number;
  readonly wrong: readonly WrongEnd[];
}

/** ms after the last word on an end: by then the bus has settled on it. */
const SETTLED = 1_000;
/** ms that hooks and status may lie apart. */
const APART = 600;

/**
 * For each rest after a turn: does the bus tell that turn's end as the hooks that arrived or the sources have told it, and call nothing else done? A rest of which
 * nothing was heard says nothing. @param sources false: hooks alone
 */
export function endScore(
  recording: Recording,
  truth: Truth,
  changes: readonly ReplayedChange[],
  sources: boolean,
): EndScore {
  const rests = [...truth].flatMap(([session, edges]) => {
    const words = wordsOf(recording, session, sources);
    const said = saidOf(changes, session);
    return restsOf(edges, endOf(recording)).flatMap((rest) => {
      const told = toldOf(words, rest, sources && edgesTell(recording));
      const looked = told === undefined ? undefined : whenToLook(words, rest, told.since);
      if (told === undefined || looked === undefined) return [];
      return [{ at: rest.from, want: told.end, shown: lastAt(said, looked) }];
    });
  });
  const wrong = rests.filter(({ want, shown }) => !isRight(want, shown));
  return {
    right: rests.length - wrong.length,
    wrong: wrong.map(({ at, want, shown }) => ({
      scenario: recording.scenario,
      at,
      want,
      got: shown?.state ?? null,
    })),
  };
}

/** A time in which a client rests after a turn. */
interface Rest {
  /** When the turn began, after the rest before it. */
  readonly since: number;
  readonly from: number;
  readonly to: number;
}

function restsOf(edges: readonly Edge[], end: number): Rest[] {
  return edges.flatMap(({ at: from, doing }, index) => {
    const first =
      edges.slice(0, index).findLastIndex((edge) => edge.doing === 'rests' || edge.doing === 'gone') + 1;
    const turn = edges.slice(first, index);
    // A dialog that the user has opened is no turn.
    if (doing !== 'rests' || !turn.some((edge) => edge.doing === 'works')) return [];
    return [{ since: turn[0]?.at ?? from, from, to: edges[index + 1]?.at ?? end }];
  });
}

/** Does the client's own status tell, as a source, that it rests? */
function edgesTell({ lines }: Recording): boolean {
  return lines.some(({ sessionFile }) => sessionFile !== undefined);
}

/** How the turn before a rest ended by what was said, and from when on that could be known. */
function toldOf(
  words: readonly Word[],
  { since, from, to }: Rest,
  byStatus: boolean,
): { end: TurnEnd | 'untold'; since: number } | undefined {
  const heard = words.filter(({ moment }) => moment > since - APART && moment < Math.min(from + APART, to));
  let end: TurnEnd | undefined;
  let rests = false;
  for (const { says } of heard) {
    if (says === 'begins') [end, rests] = [undefined, false];
    else if (says === 'rests') rests = true;
    else if (says !== 'goes on' && says !== 'moves on' && !isEcho(says, end)) end = says;
  }
  // A turn of which not even the prompt was heard leaves what was known before it.
  if (heard.length === 0) return undefined;
  const latest = Math.max(from, ...heard.map(({ arrival }) => arrival));
  return { end: end ?? (byStatus || rests ? 'idle' : 'untold'), since: latest };
}

/** After an error or an interrupt, a done without a beginning is its echo (spec: state, section 1). */
function isEcho(says: TurnEnd, end: TurnEnd | undefined): boolean {
  return says === 'done' && end !== undefined && end !== 'done';
}

/** When the bus must have settled: a while later, before anything else begins; `undefined`: something else did before it could. */
function whenToLook(words: readonly Word[], rest: Rest, since: number): number | undefined {
  const next = words.filter(({ arrival, moment, says }) => {
    const isNew = says === 'begins' ? moment > rest.from : says === 'moves on';
    return isNew && arrival > rest.from;
  });
  const limit = Math.min(rest.to, ...next.map(({ arrival }) => arrival));
  const looked = Math.min(since + SETTLED, limit - 1);
  return looked < since ? undefined : looked;
}

function isRight(want: TurnEnd | 'untold', shown: Said | undefined): boolean {
  const state = shown?.state ?? 'idle';
  switch (want) {
    case 'done':
      return state === 'done' || (state === 'needs_user' && shown?.reason === 'possible_question');
    case 'error':
      return state === 'error';
    case 'account':
      return state === 'needs_user';
    case 'idle':
      return state === 'idle';
    case 'untold':
      return state !== 'done' && state !== 'error';
  }
}
