import { seconds } from '../../protocol/aggregate.ts';
import { encodePayload } from '../../protocol/messages/codec.ts';
import { fitLine } from '../../protocol/messages/line.ts';
import { encodeSignal, signalContent } from '../../protocol/messages/signal.ts';
import type { TableChanges, Transition } from '../../protocol/table-changes.ts';
import type { SessionTable } from '../../protocol/table.ts';
import type { TopicName, TopicParams } from '../../protocol/topics.ts';
import type { Link } from '../../runtime/link.ts';
import type { Log } from '../../runtime/log.ts';
import { sessionPayload } from './session-payload.ts';

/**
 * Publishes what a commit group changed: each retained topic once, with its last value, and only when its content is another one than before; each transition
 * by itself (spec: bus, "Inside one process" and "Retained hygiene").
 */
export class Publisher {
  readonly #table: SessionTable;
  readonly #link: Link;
  readonly #log: Log;
  /** What each retained topic holds, without what alone republishes nothing. */
  readonly #held = new Map<string, string>();

  constructor(table: SessionTable, link: Link, log: Log) {
    this.#table = table;
    this.#link = link;
    this.#log = log;
  }

  /** Publishes the changes of one group. */
  publish(changes: TableChanges): void {
    for (const transition of changes.transitions) this.#transition(transition);
    for (const id of changes.sessions.keys()) this.#session(id);
    // A pause shows on every lamp at once; what it doesn't change is not sent again.
    if (changes.pauses.size > 0) this.#everything();
    else if (changes.providers.size > 0) this.#surfaces(changes.providers.keys());
  }

  /** Publishes everything retained, whatever was published before: the broker may have lost it. */
  publishAll(): void {
    this.#held.clear();
    this.#everything();
  }

  #everything(): void {
    // What everybody looks at first: behind a thousand sessions a display would wait for it.
    this.#surfaces(this.#table.providers());
    for (const session of this.#table.sessions()) this.#session(`${session.provider} ${session.key}`);
  }

  #transition({ provider, key, project, from, to, event_type, reason, alert, at }: Transition): void {
    const payload = {
      v: 1 as const,
      event_type,
      from,
      to,
      reason,
      project,
      session: key,
      alert,
      at: seconds(at),
    };
    this.#send('signalEvent', { provider }, encodePayload('signalEvent', payload));
  }

  #session(id: string): void {
    const [provider = '', key = ''] = id.split(' ');
    const session = this.#table.session(provider, key);
    const params = { provider, key };
    if (session === undefined) return this.#hold('session', params, '', '');
    const payload = sessionPayload(session, this.#table);
    return this.#hold('session', params, encodePayload('session', { ...payload, updated_at: 0 }), () =>
      encodePayload('session', payload),
    );
  }

  #surfaces(slugs: Iterable<string>): void {
    for (const provider of slugs) {
      const signal = this.#table.signal(provider);
      this.#hold('signal', { provider }, signalContent(signal), () => encodeSignal(signal));
      this.#hold('lamp', { provider }, signal.lamp);
    }
    this.#hold('lampAll', {}, this.#table.lampAll());
    const { before, name, after } = this.#table.line();
    this.#hold('line', {}, fitLine(before, name, after));
  }

  /** @param content what makes two values of the topic the same; @param payload what is sent, the content when left out */
  #hold(
    name: TopicName,
    params: TopicParams,
    content: string,
    payload: string | (() => string) = content,
  ): void {
    const key = [name, ...Object.values(params)].join(' ');
    if ((this.#held.get(key) ?? '') === content) return;
    if (content === '') this.#held.delete(key);
    else this.#held.set(key, content);
    this.#send(name, params, typeof payload === 'string' ? payload : payload());
  }

  #send(name: TopicName, params: TopicParams, payload: string): void {
    this.#link.publish(name, params, payload).catch((error: unknown) => {
      this.#log.warn('a message was not delivered', { topic: name, error });
    });
  }
}
