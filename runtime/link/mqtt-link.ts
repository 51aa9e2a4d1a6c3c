import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { IPublishPacket, MqttClient } from 'mqtt';
import { SignalboxError } from '../../protocol/errors.ts';
import { TOPICS, type TopicName, type TopicParams } from '../../protocol/topics.ts';
import type { Cancel } from '../clock.ts';
import { redactUrl } from '../mqtt-url.ts';
import { acknowledgeAfterWork } from './acknowledge.ts';
import { askBroker } from './ask-broker.ts';
import { type Backoff, createBackoff } from './backoff.ts';
import { Callbacks } from './callbacks.ts';
import { CONNECT_TIMEOUT_MS, clientOptions } from './client-options.ts';
import type { Connected, Link, LinkOptions, ReadyOptions, Unsubscribe } from './contract.ts';
import { endClient, withinLimit } from './end-client.ts';
import { failureReason } from './failure.ts';
import { InFlight } from './in-flight.ts';
import { encode, type MessageHandler } from './message.ts';
import { Outbox } from './outbox.ts';
import { type Subscription, Subscriptions } from './subscriptions.ts';
import { openClient } from './transport.ts';

const CLOSE_TIMEOUT_MS = 2000;
const RECONNECT = { baseMs: 250, capMs: 10_000 };
/** A connection that ends sooner counts as a failed attempt, else two clients with one id would throw each other out as fast as they can. */
const STABLE_MS = 5000;

const CLOSED = 'the connection was closed';
const CLOSED_BY_BROKER = 'it closed the connection';

/** A connection that the broker has accepted. */
interface Up {
  readonly info: Connected;
  /** Of `performance.now()`. */
  readonly since: number;
  /** The subscriptions stand again, and the callbacks have been told. */
  stands: boolean;
}

export class MqttLink implements Link {
  readonly clientId: string;
  readonly #options: LinkOptions;
  readonly #subscriptions: Subscriptions;
  readonly #outbox = new Outbox();
  readonly #inFlight = new InFlight();
  readonly #backoff: Backoff;
  readonly #connectCallbacks: Callbacks<Connected>;
  readonly #lostCallbacks: Callbacks<string>;
  readonly #attemptCallbacks: Callbacks<'up' | 'failed'>;
  #client: MqttClient | undefined;
  #stopAcknowledging: () => Promise<void> = () => Promise.resolve();
  #closing: Promise<void> | undefined;
  #up: Up | undefined;
  #wasUp = false;
  /** What went wrong with the connection or attempt under way. */
  #error: Error | undefined;
  /** Why the last connection or attempt ended. */
  #lastFailure = 'no answer yet';
  #warned = false;

  constructor(options: LinkOptions) {
    const { log, topics, random = Math.random } = options;
    this.#options = options;
    this.clientId = options.clientId ?? `signalbox-${randomBytes(6).toString('hex')}`;
    this.#subscriptions = new Subscriptions(topics, log);
    this.#backoff = createBackoff({ ...(options.reconnect ?? RECONNECT), random });
    this.#connectCallbacks = new Callbacks('Work after a connection', log);
    this.#lostCallbacks = new Callbacks('Work after a lost connection', log);
    this.#attemptCallbacks = new Callbacks('Waiting for a connection', log);
  }

  get connected(): boolean {
    return this.#client?.connected === true && this.#closing === undefined;
  }

  start(): void {
    const { url, stream, ca, acknowledge, log } = this.#options;
    const transport =
      stream !== undefined ? { stream } : { url: url ?? '', ...(ca === undefined ? {} : { ca }) };
    const client = openClient(transport, clientOptions(this.#options, this.clientId, this.#backoff.next()));
    this.#client = client;
    client.on('connect', ({ sessionPresent }) => this.#onConnected(client, sessionPresent));
    client.on('message', (topic, payload, packet) => this.#onMessage(topic, payload, packet));
    client.on('error', (error) => this.#onError(client, error));
    // In front of MQTT.js' own listener, which sets the timer for the next attempt.
    client.prependListener('close', () => this.#onClosed(client));
    if (acknowledge !== undefined) {
      this.#stopAcknowledging = acknowledgeAfterWork(
        client,
        async ({ topic, payload, retain }) => {
          const message = this.#subscriptions.read(topic, Buffer.from(payload), retain);
          if (message !== undefined) await acknowledge(message);
        },
        log,
      );
    }
  }

  #onConnected(client: MqttClient, sessionPresent: boolean): void {
    const up: Up = { info: { first: !this.#wasUp, sessionPresent }, since: performance.now(), stands: false };
    this.#up = up;
    this.#wasUp = true;
    this.#warned = false;
    const standing = this.#resubscribe(client);
    this.#outbox.flush((message) => this.#inFlight.send(client, message));
    this.#attemptCallbacks.call('up');
    void standing.then(() => {
      // The connection may be another one by now, or none.
      if (this.#up !== up || this.#closing !== undefined) return;
      up.stands = true;
      this.#connectCallbacks.call(up.info);
    });
  }

  #onMessage(topic: string, payload: Uint8Array, packet: IPublishPacket): void {
    const message = this.#subscriptions.read(topic, payload, packet.retain);
    if (message !== undefined) this.#subscriptions.deliver(message);
  }

  #onError(client: MqttClient, error: Error): void {
    this.#error ??= error;
    // A packet that can't be read leaves MQTT.js' parser in the middle of it; only a new connection helps.
    client.stream.destroy();
  }

  #onClosed(client: MqttClient): void {
    const up = this.#up;
    this.#up = undefined;
    this.#lastFailure = this.#error === undefined ? CLOSED_BY_BROKER : failureReason(this.#error);
    this.#error = undefined;
    if (up !== undefined && performance.now() - up.since >= STABLE_MS) this.#backoff.reset();
    client.options.reconnectPeriod = this.#backoff.next();
    this.#inFlight.connectionLost();
    if (this.#closing !== undefined) return;
    const { log } = this.#options;
    if (up !== undefined) {
      log.warn('The connection to the broker was lost', this.#about());
      this.#lostCallbacks.call(this.#lastFailure);
    } else {
      // Once is enough: it is tried again until it answers.
      if (this.#warned) log.debug('The broker does not answer', this.#about());
      else log.warn('The broker does not answer', this.#about());
      this.#attemptCallbacks.call('failed');
    }
    this.#warned = true;
  }

  #about(): { readonly url: string; readonly client: string; readonly reason: string } {
    return { url: redactUrl(this.#where()), client: this.clientId, reason: this.#lastFailure };
  }

  #where(): string {
    return this.#options.url ?? 'this process';
  }

  ready({ withinMs = CONNECT_TIMEOUT_MS, once = false }: ReadyOptions = {}): Promise<void> {
    if (this.connected) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const settle = (act: () => void): void => {
        clearTimeout(timer);
        cancel();
        act();
      };
      const fail = (): void => {
        const params = { url: redactUrl(this.#where()), reason: this.#lastFailure };
        settle(() => reject(new SignalboxError('broker_unreachable', params)));
      };
      const timer = setTimeout(fail, withinMs);
      const cancel = this.#attemptCallbacks.add((outcome) => {
        if (outcome === 'up') settle(resolve);
        else if (once || this.#closing !== undefined) fail();
      });
      if (this.#closing !== undefined) fail();
    });
  }

  publish(name: TopicName, params: TopicParams, payload: string | Uint8Array | object): Promise<void> {
    const { qos, retained } = TOPICS[name];
    const message = {
      topic: this.#options.topics.build(name, params),
      payload: encode(payload),
      qos,
      retain: retained,
    };
    const client = this.#client;
    if (client === undefined || this.#closing !== undefined)
      return handled(Promise.reject(closedError(message.topic)));
    return handled(client.connected ? this.#inFlight.send(client, message) : this.#outbox.put(message));
  }

  subscribe(name: TopicName, params: TopicParams, handler: MessageHandler): Promise<Unsubscribe> {
    return handled(this.#subscribe(name, params, handler));
  }

  async #subscribe(name: TopicName, params: TopicParams, handler: MessageHandler): Promise<Unsubscribe> {
    const filter = this.#options.topics.filter(name, params);
    if (this.#client === undefined || this.#closing !== undefined) throw closedError(filter);
    const client = this.#client;
    // A handler each, so that one that is given twice is called twice and taken back once.
    const own: MessageHandler = (message) => handler(message);
    const { subscription, granted } = this.#subscriptions.add(filter, name, TOPICS[name].qos, own);
    if (client.connected) void this.#ask(client, [subscription]);
    await granted;
    return async () => {
      if (!subscription.handlers.has(own)) return;
      if (this.#subscriptions.remove(subscription, own) && this.connected) await unsubscribe(client, filter);
    };
  }

  async #resubscribe(client: MqttClient): Promise<void> {
    const subscriptions = this.#subscriptions.all();
    if (subscriptions.length > 0) await this.#ask(client, subscriptions);
  }

  async #ask(client: MqttClient, subscriptions: readonly Subscription[]): Promise<void> {
    const verdicts = await askBroker(client, subscriptions);
    for (const [subscription, verdict] of verdicts) this.#subscriptions.settle(subscription, verdict);
  }

  onConnect(callback: (connected: Connected) => void | Promise<void>): Cancel {
    const up = this.#up;
    if (up?.stands) void Promise.resolve().then(() => this.#connectCallbacks.run(callback, up.info));
    return this.#connectCallbacks.add(callback);
  }

  onLost(callback: (reason: string) => void): Cancel {
    return this.#lostCallbacks.add(callback);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const limit = (this.#options.closeTimeoutMs ?? CLOSE_TIMEOUT_MS) / 2;
    const stopped = this.#stopAcknowledging();
    if (this.#client?.connected === true) {
      await withinLimit(Promise.all([stopped, this.#inFlight.settled()]), limit);
    }
    if (this.#client !== undefined) await endClient(this.#client, limit);
    this.#inFlight.fail(CLOSED);
    this.#outbox.fail(CLOSED);
    this.#subscriptions.fail(CLOSED);
    this.#attemptCallbacks.call('failed');
  }
}

/** Who doesn't wait for the outcome isn't brought down by it. */
function handled<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {});
  return promise;
}

function closedError(topic: string): SignalboxError {
  return new SignalboxError('not_delivered', { topic, reason: CLOSED });
}

function unsubscribe(client: MqttClient, filter: string): Promise<void> {
  // When the connection goes first, the subscription isn't made again; at worst a kept session sends what nobody handles.
  return new Promise((resolve) => client.unsubscribe(filter, () => resolve()));
}
