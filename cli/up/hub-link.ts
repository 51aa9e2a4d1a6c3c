import type { Identify } from '../../broker/options.ts';
import type { Topics } from '../../protocol/topics.ts';
import type { Config } from '../../runtime/config/schema.ts';
import { connectLink, type Link, type LinkOptions } from '../../runtime/link.ts';
import { linkedPair } from '../../runtime/linked-pair.ts';
import type { Log } from '../../runtime/log.ts';

/** Another broker that carries the bus. */
export interface ExternalBroker {
  readonly url: string;
  readonly username?: string;
  readonly password?: string;
}

/** The one that settings name; `undefined`: the embedded one carries it. */
export function externalBroker({ broker }: Config, password: string | undefined): ExternalBroker | undefined {
  if (broker.url === '') return undefined;
  return {
    url: broker.url,
    ...(broker.username !== '' && { username: broker.username }),
    ...(password !== undefined && { password }),
  };
}

interface HubLink {
  readonly topics: Topics;
  readonly hubId: string;
  readonly external: ExternalBroker | undefined;
  readonly log: Log;
  readonly connect: (stream: ReturnType<typeof linkedPair>[0]) => void;
}

/** The hub's own connection to the bus: inside this process, or to the other broker. */
export function connectHub({ topics, hubId, external, log, connect }: HubLink): Link {
  const common: Pick<LinkOptions, 'topics' | 'log' | 'clientId' | 'will'> = {
    topics,
    log: log.child({ component: 'link' }),
    clientId: `signalbox-${hubId}`,
    will: { name: 'hubState', payload: 'offline' },
  };
  if (external !== undefined) return connectLink({ ...common, ...external });
  return connectLink({
    ...common,
    stream: () => {
      const [ours, theirs] = linkedPair();
      connect(theirs);
      return ours;
    },
  });
}

/** Sessions of the embedded broker when another broker carries the bus: it is the hooks' door then, and shows nothing. */
export const HOOKS_ONLY: Identify = ({ username, password }) =>
  username === undefined && password === undefined ? { roles: ['hook'] } : undefined;
