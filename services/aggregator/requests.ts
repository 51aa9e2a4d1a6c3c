import { type ErrorCode, SignalboxError } from '../../protocol/errors.ts';
import { encodePayload } from '../../protocol/messages/codec.ts';
import {
  type Command,
  isCommand,
  REQUEST_BYTES,
  type Requester,
  type RequestPayload,
  requestPayload,
  type ResponsePayload,
} from '../../protocol/messages/request.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Link, LinkMessage, Unsubscribe } from '../../runtime/link.ts';
import type { Log } from '../../runtime/log.ts';
import { Bucket } from './bucket.ts';
import { type Answer, createAnswers, type Known } from './request-answers.ts';
import { USER_WORDS } from './user-words.ts';

export interface RequestsOptions extends Known {
  readonly link: Link;
  readonly clock: Clock;
  readonly log: Log;
  /** Is it our own broker that says who asks? Another one passes on what anybody may have written. */
  readonly namesRequesters: boolean;
  /** Tells of a request that can't be answered: nobody knows whose it is. */
  readonly refuse: (code: ErrorCode, params: Readonly<Record<string, string | number>>) => void;
}

/** Requests of a kind that are answered in a second: people and their surfaces need a few. */
const PER_SECOND = 20;

/** What each field has to be, for whoever sent another. */
const EXPECTED: Readonly<Record<string, string>> = {
  transaction: 'a text of 1 to 64 characters that tells the answer apart',
  provider: 'the name of an agent',
  session: "the beginning of a session's key or id",
  minutes: 'a number above 0, of a week at most',
  days: 'a whole number of days, of a year at most',
};

/** Of whom a broker that is not ours says nothing. */
const SOMEBODY: Requester = { role: 'unknown', how: 'bus' };
/** Who asks without the broker's word: a part of this hub itself. */
const OURSELVES: Requester = { role: 'hub', how: 'inprocess' };

/**
 * Answers `signalbox/request/<command>` with `signalbox/response/<command>` of the same transaction (spec: bus, "Topics"). Who may ask is the broker's matter; commands that this hub
 * does not answer it does not listen to.
 */
export class Requests {
  readonly #options: RequestsOptions;
  readonly #answers: Readonly<Partial<Record<Command, Answer>>>;
  #ends: Unsubscribe[] = [];
  /** Whoever may only read takes nothing off those that may do more, and reading nothing off the user's words. */
  readonly #buckets = {
    viewer: new Bucket(PER_SECOND),
    reading: new Bucket(PER_SECOND),
    word: new Bucket(PER_SECOND),
  };

  constructor(options: RequestsOptions) {
    this.#options = options;
    this.#answers = createAnswers(options);
  }

  async start(): Promise<void> {
    const { link } = this.#options;
    for (const command of Object.keys(this.#answers))
      this.#ends.push(await link.subscribe('request', { command }, (message) => this.#take(message)));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#ends.splice(0).map((end) => end()));
  }

  async #take({ params, payload, retained }: LinkMessage): Promise<void> {
    const command = params['command'] ?? '';
    // A request that a foreign broker has kept is of another time.
    if (retained || !isCommand(command)) return;
    const response = this.#respond(command, payload);
    if (response === undefined) return;
    try {
      await this.#options.link.publish('response', { command }, encodePayload('response', response));
    } catch (error) {
      this.#options.log.warn('a request was not answered', { topic: 'response', error });
    }
  }

  #respond(command: Command, payload: Uint8Array): ResponsePayload | undefined {
    let transaction: string | undefined;
    try {
      const value = parsed(payload);
      transaction = transactionOf(value);
      this.#count(command, value);
      const data = this.#answer(command, checked(value));
      return { transaction, ok: true, data };
    } catch (thrown) {
      const error = this.#told(thrown);
      if (transaction === undefined) {
        this.#options.refuse(error.code, error.params);
        return undefined;
      }
      return { transaction, ok: false, error: { code: error.code, message: error.message } };
    }
  }

  #answer(command: Command, { provider, session, minutes, days, by }: RequestPayload): object {
    const { clock, options } = this.#options;
    const named = provider === undefined ? undefined : options.registry.find(provider);
    if (provider !== undefined && named === undefined) {
      const known = options.registry.list.map(({ slug }) => slug).join(', ');
      throw new SignalboxError('unknown_provider', { provider: provider.slice(0, 40), known });
    }
    const asked = {
      ...(named !== undefined && { provider: named.slug }),
      ...(session !== undefined && { session }),
      ...(minutes !== undefined && { minutes }),
      ...(days !== undefined && { days }),
    };
    // Only commands that are answered are subscribed to.
    return (this.#answers[command] as Answer)(asked, clock.now(), this.#requester(by));
  }

  #requester(by: Requester | undefined): Requester {
    return this.#options.namesRequesters ? (by ?? OURSELVES) : SOMEBODY;
  }

  /** Before the rest of it is looked at: what is refused counts as well. @throws SignalboxError `too_many_requests` */
  #count(command: Command, value: object): void {
    const { data } = requestPayload.pick({ by: true }).safeParse(value);
    const kind = Object.hasOwn(USER_WORDS, command) ? 'word' : 'reading';
    const bucket = this.#buckets[this.#requester(data?.by).role === 'viewer' ? 'viewer' : kind];
    if (!bucket.take(this.#options.clock.now()))
      throw new SignalboxError('too_many_requests', { limit: PER_SECOND });
  }

  /** What the requester is told; what is our fault is in the log as well. */
  #told(thrown: unknown): SignalboxError {
    if (thrown instanceof SignalboxError) return thrown;
    this.#options.log.error('a request could not be answered', { topic: 'request', error: thrown });
    return new SignalboxError('unexpected', { reason: 'see the log of the hub' }, { cause: thrown });
  }
}

/** @throws SignalboxError `too_large`, `bad_json` */
function parsed(payload: Uint8Array): object {
  if (payload.length > REQUEST_BYTES) throw new SignalboxError('too_large', { limit: REQUEST_BYTES });
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(payload).toString('utf8'));
  } catch {
    value = undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new SignalboxError('bad_json');
  return value;
}

/** @throws SignalboxError `bad_shape` */
function transactionOf(value: object): string {
  const found = requestPayload.pick({ transaction: true }).safeParse(value);
  if (!found.success) throw badShape('transaction');
  return found.data.transaction;
}

/** @throws SignalboxError `bad_shape` */
function checked(value: object): RequestPayload {
  const found = requestPayload.safeParse(value);
  if (found.success) return found.data;
  throw badShape(String(found.error.issues[0]?.path[0]));
}

function badShape(field: string): SignalboxError {
  return new SignalboxError('bad_shape', { field, expected: EXPECTED[field] ?? 'of another kind' });
}
