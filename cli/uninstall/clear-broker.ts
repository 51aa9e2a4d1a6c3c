import { randomUUID } from 'node:crypto';
import { SignalboxError } from '../../protocol/errors.ts';
import { decodePayload } from '../../protocol/messages/codec.ts';
import {
  createTopics,
  TOPIC_NAMES,
  TOPICS,
  type TopicName,
  type TopicParams,
} from '../../protocol/topics.ts';
import { connectLink, type Link, type LinkOptions } from '../../runtime/link.ts';
import type { Log } from '../../runtime/log.ts';
import { barrier } from '../../runtime/barrier.ts';
import { hooksClientId } from '../../services/aggregator/hook-intake.ts';

/** Another broker that carries the bus of this machine's hub. */
export interface OtherBroker extends Pick<LinkOptions, 'username' | 'password'> {
  readonly url: string;
  readonly prefix: string;
  /** Of the hub that ran here; undefined where none ever has. */
  readonly hubId: string | undefined;
}

/** `in_use`: another hub is online there under this prefix, and the messages are its own. */
export type Cleared =
  | { readonly kind: 'cleared'; readonly count: number }
  | { readonly kind: 'in_use'; readonly hub: string };

/** A broker that answers does so at once; all of it has to be done by then [ms]. */
const ANSWER_WITHIN = 10_000;

const RETAINED = TOPIC_NAMES.filter((name) => TOPICS[name].retained);

/**
 * Empties every retained topic of ours under the prefix, and ends the session that the broker keeps for our hook events: it would collect them for ever.
 * @throws SignalboxError `broker_not_cleared`
 */
export async function clearBroker(broker: OtherBroker, log: Log): Promise<Cleared> {
  const { url, prefix, hubId, username, password } = broker;
  const options: LinkOptions = {
    url,
    topics: createTopics(prefix),
    log,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    connectTimeoutMs: ANSWER_WITHIN,
    closeTimeoutMs: 2_000,
  };
  const link = connectLink(options);
  try {
    return await inTime(clear(link, options, hubId));
  } catch (error) {
    if (!(error instanceof SignalboxError)) throw error;
    const reason = String(error.params['reason'] ?? error.message);
    throw new SignalboxError('broker_not_cleared', { url, reason }, { cause: error });
  } finally {
    await link.close();
  }
}

async function clear(link: Link, options: LinkOptions, hubId: string | undefined): Promise<Cleared> {
  await link.ready({ withinMs: ANSWER_WITHIN, once: true });
  const found = await retainedOn(link);
  const other = otherHub(found, hubId);
  if (hubId !== undefined) await endSession(options, hubId);
  if (other !== undefined) return { kind: 'in_use', hub: other };
  await Promise.all([...found.values()].map(({ name, params }) => link.publish(name, params, '')));
  return { kind: 'cleared', count: found.size };
}

interface Found {
  readonly name: TopicName;
  readonly params: TopicParams;
  readonly text: string;
}

/** What is retained, by topic. */
async function retainedOn(link: Link): Promise<ReadonlyMap<string, Found>> {
  const found = new Map<string, Found>();
  const { build } = createTopics();
  for (const name of RETAINED) {
    await link.subscribe(name, {}, ({ name: own, params, payload, retained }) => {
      const topic = build(own, params);
      if (payload.length === 0) found.delete(topic);
      else if (retained) found.set(topic, { name: own, params, text: Buffer.from(payload).toString('utf8') });
    });
  }
  await barrier(link, `uninstall-${randomUUID()}`);
  return found;
}

/** The id of another hub that is online there. One of our own id was ended before its broker could tell. */
function otherHub(found: ReadonlyMap<string, Found>, hubId: string | undefined): string | undefined {
  const { build } = createTopics();
  if (found.get(build('hubState'))?.text !== 'online') return undefined;
  const info = decodePayload('hubInfo', found.get(build('hubInfo'))?.text ?? '');
  const hub = info.kind === 'payload' ? info.payload.hub_id : undefined;
  return hub === hubId ? undefined : hub;
}

/** A clean session under the same name takes the place of the kept one, and leaves none (MQTT 3.1.1, section 3.1.2.4). */
async function endSession(options: LinkOptions, hubId: string): Promise<void> {
  const link = connectLink({ ...options, clientId: hooksClientId(hubId) });
  try {
    await link.ready({ withinMs: ANSWER_WITHIN, once: true });
  } finally {
    await link.close();
  }
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new SignalboxError('not_taken', { reason: `no answer within ${ANSWER_WITHIN / 1000} s` })),
      ANSWER_WITHIN,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}
