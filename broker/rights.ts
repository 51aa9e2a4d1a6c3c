import { type Identity, mayPublish, mayReceive, maySubscribe } from '../protocol/roles.ts';
import type { TopicParams, Topics } from '../protocol/topics.ts';
import { TOPICS } from '../protocol/topics.ts';

/** What may be done with a publish on one topic. */
export interface PublishVerdict {
  readonly allowed: boolean;
  /** Parameters of a hook topic: such a publish goes through the gate. */
  readonly hook: TopicParams | undefined;
  /** A request to the hub: it is told who makes it. */
  readonly request: boolean;
  /** False for happenings: a retained one would happen again at every subscribe (spec: bus, "Retained hygiene"). */
  readonly retainable: boolean;
}

/** The rights of one identity, remembered by topic: the role tables are far too slow to be asked for every delivery. */
export interface Rights {
  publish(topic: string): PublishVerdict;
  receive(topic: string): boolean;
  subscribe(filter: string): 'all' | 'some' | 'none';
}

/** Topics remembered for one identity; a client that makes up topics costs at most this many entries. */
const REMEMBERED = 4_096;

/** Roles that may write topics which aren't in the table: other programs' own. */
const BEYOND_THE_TABLE: readonly string[] = ['hub', 'homeassistant', 'lamp'];

/** Creates the function that finds an identity's rights; the same identity object shares one memory. */
export function createRights(topics: Topics): (identity: Identity) => Rights {
  const known = new WeakMap<Identity, Rights>();
  return (identity) => {
    const found = known.get(identity) ?? rightsOf(topics, identity);
    known.set(identity, found);
    return found;
  };
}

function rightsOf(topics: Topics, identity: Identity): Rights {
  const beyondTable = identity.roles.some((role) => BEYOND_THE_TABLE.includes(role));
  return {
    publish: remember((topic) => {
      const parsed = topics.parse(topic);
      const allowed = mayPublish(topics, identity, topic) && (parsed !== undefined || beyondTable);
      return {
        allowed,
        hook: parsed?.name === 'hook' ? parsed.params : undefined,
        request: parsed?.name === 'request',
        retainable: parsed === undefined || TOPICS[parsed.name].retained,
      };
    }),
    receive: remember((topic) => mayReceive(topics, identity, topic)),
    subscribe: (filter) => maySubscribe(topics, identity, filter),
  };
}

function remember<T>(decide: (topic: string) => T): (topic: string) => T {
  const verdicts = new Map<string, T>();
  return (topic) => {
    const known = verdicts.get(topic);
    if (known !== undefined) return known;
    const verdict = decide(topic);
    if (verdicts.size >= REMEMBERED) verdicts.clear();
    verdicts.set(topic, verdict);
    return verdict;
  };
}
