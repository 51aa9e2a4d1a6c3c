import { SignalboxError } from './errors.ts';

/** What a session can be found by. */
export interface Findable {
  readonly key: string;
  readonly session_id: string;
  readonly provider: string;
  readonly project: string;
}

/** What somebody asks for: any unique beginning of a session's key or of its id; a provider's slug. */
export interface Wanted {
  readonly session?: string;
  readonly provider?: string;
}

/** Most sessions that an error names. */
const MOST_NAMED = 4;

/**
 * The sessions that are asked for: the one that `session` begins, else all (spec: bus, below the topic table). A whole key or id goes before one that only begins like it.
 * @throws SignalboxError `no_such_session`, with those that there are; `ambiguous_session`, with those that fit
 */
export function findSessions<T extends Findable>(sessions: Iterable<T>, wanted: Wanted): T[] {
  const { session, provider } = wanted;
  const own = [...sessions].filter((each) => provider === undefined || each.provider === provider);
  if (session === undefined) return own;
  const exact = own.filter(({ key, session_id }) => key === session || session_id === session);
  const fits =
    exact.length > 0
      ? exact
      : own.filter(({ key, session_id }) => key.startsWith(session) || session_id.startsWith(session));
  if (fits.length === 1) return fits;
  if (fits.length > 1)
    throw new SignalboxError('ambiguous_session', { key: session, matches: named(fits, session) });
  const known = own.length === 0 ? 'there is none' : `there are ${named(own, session)}`;
  throw new SignalboxError('no_such_session', { key: session, known });
}

/** A few sessions as an error names them; those whose project was perhaps meant come first. */
function named(sessions: readonly Findable[], text: string): string {
  const meant = (session: Findable): number => (session.project.includes(text) ? 0 : 1);
  const names = sessions
    .toSorted((a, b) => meant(a) - meant(b))
    .slice(0, MOST_NAMED)
    .map(({ key, provider, project }) => `${key} (${provider}, ${project})`);
  const more = sessions.length - names.length;
  return [...names, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
