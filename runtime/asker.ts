import { randomUUID } from 'node:crypto';
import { type ErrorCode, ERRORS, SignalboxError } from '../protocol/errors.ts';
import { decodePayload } from '../protocol/messages/codec.ts';
import type { Command, Requester, ResponsePayload } from '../protocol/messages/request.ts';
import type { Cancel, Clock } from './clock.ts';
import type { Link } from './link.ts';

/** Longest that a hub may take to answer [ms]. */
const ANSWER_WITHIN = 3_000;

/** What a request names; nothing: all. */
export interface Asked {
  readonly provider?: string | undefined;
  readonly session?: string | undefined;
  readonly minutes?: number | undefined;
  readonly days?: number | undefined;
  /** For whom it is asked; only the hub's own parts are believed. */
  readonly by?: Requester;
}

export interface AskerOptions {
  readonly link: Link;
  readonly clock: Clock;
  /** Where the bus is, for people. */
  readonly where: () => string;
}

/** Sends requests to the hub and waits for their answers (spec: bus, `signalbox/request/<command>`). It listens to a command's answers from its first request on. */
export class Asker {
  readonly #options: AskerOptions;
  readonly #listening = new Map<Command, Promise<unknown>>();
  readonly #waiting = new Map<string, (response: ResponsePayload) => void>();

  constructor(options: AskerOptions) {
    this.#options = options;
  }

  /**
   * Asks the hub and gives the `data` of its answer.
   * @throws SignalboxError `not_delivered`, `no_hub`, `not_taken`, `subscription_refused`, and what the hub answers
   */
  async ask(command: Command, asked: Asked): Promise<unknown> {
    const { link, clock, where } = this.#options;
    // The link would keep it and send it when it can; whoever was told that it failed must not have it done later.
    if (!link.connected)
      throw new SignalboxError('not_delivered', { topic: 'request', reason: `${where()} can't be reached` });
    const transaction = randomUUID();
    const cancels: Cancel[] = [];
    const answer = new Promise<ResponsePayload>((resolve, reject) => {
      this.#waiting.set(transaction, resolve);
      this.#listen(command)
        .then(() => link.publish('request', { command }, { transaction, ...asked }))
        .catch(reject);
      // MQTT 3.1.1 has no refusal of a publish: the broker closes the connection.
      cancels.push(
        link.onLost((reason) => reject(new SignalboxError('not_taken', { reason }))),
        clock.at(clock.now() + ANSWER_WITHIN, () => {
          const detail = `${where()} takes the request, but nobody answers it`;
          reject(new SignalboxError('no_hub', { detail }));
        }),
      );
    });
    try {
      const response = await answer;
      if (response.ok) return response.data;
      throw errorOf(response.error);
    } finally {
      this.#waiting.delete(transaction);
      for (const cancel of cancels) cancel();
    }
  }

  #listen(command: Command): Promise<unknown> {
    const known = this.#listening.get(command);
    if (known !== undefined) return known;
    const granted = this.#options.link.subscribe('response', { command }, ({ payload }) => {
      const decoded = decodePayload('response', Buffer.from(payload).toString('utf8'));
      if (decoded.kind === 'payload') this.#waiting.get(decoded.payload.transaction)?.(decoded.payload);
    });
    this.#listening.set(command, granted);
    granted.catch(() => this.#listening.delete(command));
    return granted;
  }
}

/** What the hub has answered, as if it had been found out here: its message names what only the hub knows. */
function errorOf({ code, message }: { code: string; message: string }): SignalboxError {
  if (!isKnown(code)) return new SignalboxError('refused', { reason: message.replace(/\.$/, ''), code });
  const error = new SignalboxError(code);
  error.message = message;
  return error;
}

/** A newer hub may know more codes, and the next step of some needs what only the hub knows. */
function isKnown(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code) && !ERRORS[code as ErrorCode].next.includes('{');
}
