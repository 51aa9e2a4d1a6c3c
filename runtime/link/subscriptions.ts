import { SignalboxError } from '../../protocol/errors.ts';
import { matches } from '../../protocol/roles.ts';
import type { TopicName, Topics } from '../../protocol/topics.ts';
import type { Log } from '../log.ts';
import type { LinkMessage, MessageHandler } from './message.ts';

/** One filter that is subscribed to, with all who want its messages. */
export interface Subscription {
  readonly filter: string;
  readonly name: TopicName;
  readonly qos: 0 | 1;
  readonly handlers: Set<MessageHandler>;
  /** Those who wait for the broker's word. */
  waiting: { readonly handler: MessageHandler; resolve(): void; reject(error: Error): void }[];
}

/** The broker's word on one filter; `lost`: the connection went before it came. */
export type Verdict = 'granted' | 'refused' | 'lost';

/** What a link is subscribed to, and who gets which message. */
export class Subscriptions {
  readonly #all = new Map<string, Subscription>();
  readonly #topics: Topics;
  readonly #log: Log;

  constructor(topics: Topics, log: Log) {
    this.#topics = topics;
    this.#log = log;
  }

  all(): readonly Subscription[] {
    return [...this.#all.values()];
  }

  /** Adds a handler; `granted` settles with the broker's word, whenever that comes. */
  add(
    filter: string,
    name: TopicName,
    qos: 0 | 1,
    handler: MessageHandler,
  ): { subscription: Subscription; granted: Promise<void> } {
    // Two rows may share a filter (`lamp/+` covers `lamp/all`), never a row and its handlers.
    const key = `${name} ${filter}`;
    const subscription = this.#all.get(key) ?? { filter, name, qos, handlers: new Set(), waiting: [] };
    this.#all.set(key, subscription);
    subscription.handlers.add(handler);
    const granted = new Promise<void>((resolve, reject) =>
      subscription.waiting.push({ handler, resolve, reject }),
    );
    return { subscription, granted };
  }

  /** Takes a handler away. True when nobody wants the filter any more. */
  remove(subscription: Subscription, handler: MessageHandler): boolean {
    subscription.handlers.delete(handler);
    subscription.waiting = subscription.waiting.filter((waiter) => {
      if (waiter.handler !== handler) return true;
      waiter.resolve();
      return false;
    });
    if (subscription.handlers.size > 0) return false;
    this.#all.delete(`${subscription.name} ${subscription.filter}`);
    return !this.all().some(({ filter }) => filter === subscription.filter);
  }

  /** Tells those who wait. A filter that is refused loses the handlers that asked for it just now; one that was granted before keeps its handlers. */
  settle(subscription: Subscription, verdict: Verdict): void {
    if (verdict === 'lost') return;
    const { waiting, filter } = subscription;
    subscription.waiting = [];
    if (verdict === 'refused') {
      this.#log.error('The broker refused a subscription', { code: 'subscription_refused', topic: filter });
    }
    for (const { handler, resolve, reject } of waiting) {
      if (verdict === 'granted') resolve();
      else {
        this.remove(subscription, handler);
        reject(new SignalboxError('subscription_refused', { filter }));
      }
    }
  }

  /** Gives up on all who wait. */
  fail(reason: string): void {
    for (const subscription of this.all()) {
      const { waiting, filter } = subscription;
      subscription.waiting = [];
      for (const { reject } of waiting)
        reject(new SignalboxError('not_delivered', { topic: filter, reason }));
    }
  }

  /** Reads a message by the topic table; `undefined` when its topic is not on this bus. */
  read(topic: string, payload: Uint8Array, retained: boolean): LinkMessage | undefined {
    const parsed = this.#topics.parse(topic);
    return parsed === undefined ? undefined : { topic, ...parsed, payload, retained };
  }

  /** Hands a message to everybody whose filter covers it. What a handler throws is logged and stops nobody else. */
  deliver(message: LinkMessage): void {
    for (const { filter, name, handlers } of this.#all.values()) {
      if (name !== message.name || !matches(filter, message.topic)) continue;
      for (const handler of [...handlers]) void this.#run(handler, message);
    }
  }

  async #run(handler: MessageHandler, message: LinkMessage): Promise<void> {
    try {
      await handler(message);
    } catch (error) {
      this.#log.error('A message was not handled', { topic: message.topic, error });
    }
  }
}
