import { decodePayload } from '../../protocol/messages/codec.ts';
import type { HubInfoPayload } from '../../protocol/messages/hub.ts';
import type { SignalPayload } from '../../protocol/messages/signal.ts';
import type { ProviderRegistry } from '../../protocol/providers.ts';
import type { LampState } from '../../protocol/states.ts';
import type { TopicName, TopicParams } from '../../protocol/topics.ts';
import type { HubView, StatusView } from './status-view.ts';

/** What the board reads of the bus. */
export const BOARD_TOPICS = ['hubState', 'hubInfo', 'signal', 'lampAll', 'line'] as const;

const NOT_HEARD = 'not heard of yet';

/** Gathers the retained messages of the bus into one view. Pure: no clock, no connection. */
export class Board {
  readonly #registry: ProviderRegistry;
  readonly #provider: string | undefined;
  readonly #signals = new Map<string, SignalPayload>();
  #lamp: LampState | undefined;
  #line: string | undefined;
  #info: HubInfoPayload | undefined;
  #hub: HubView = { state: 'gone', since: 0, reason: NOT_HEARD };

  /** @param provider slug of the only one to show; all without it */
  constructor(registry: ProviderRegistry, provider?: string) {
    this.#registry = registry;
    this.#provider = provider;
  }

  /** Takes a message in. What can't be read is passed over: it is no reason to show less of the rest. @param now unix ms */
  take(name: TopicName, params: TopicParams, text: string, now: number): void {
    switch (name) {
      case 'signal':
        this.#takeSignal(params['provider'] ?? '', text);
        break;
      case 'hubState':
        this.#takeHubState(text, now);
        break;
      case 'hubInfo':
        this.#info = payloadOf('hubInfo', text) ?? this.#info;
        break;
      case 'lampAll':
        this.#lamp = payloadOf('lampAll', text);
        break;
      case 'line':
        this.#line = payloadOf('line', text);
        break;
      default:
    }
  }

  /** The connection is gone, or never was; what the hub says comes again after the next one. @param now unix ms */
  lost(reason: string, now: number): void {
    this.#gone(reason, now);
  }

  /** What a broker holds after a new connection may be less than before. */
  forget(): void {
    this.#hub = { state: 'gone', since: 0, reason: NOT_HEARD };
    this.#signals.clear();
    this.#lamp = undefined;
    this.#line = undefined;
    this.#info = undefined;
  }

  /**
   * How much of what the bus should hold has been heard: `all` that the hub has announced, or that it is gone; `some`; or `nothing` of the hub yet.
   */
  get heard(): 'all' | 'some' | 'nothing' {
    if (this.#hub.state !== 'online') return this.#hub.since === 0 ? 'nothing' : 'all';
    const isComplete =
      this.#lamp !== undefined &&
      this.#line !== undefined &&
      this.#info?.providers.every(({ slug }) => this.#signals.has(slug)) === true;
    return isComplete ? 'all' : 'some';
  }

  view(): StatusView {
    const slugs = [...this.#signals].filter(
      ([slug]) => this.#provider === undefined || slug === this.#provider,
    );
    const { order } = this.#registry;
    return {
      hub: this.#hub,
      lamp: this.#lamp,
      line: this.#line,
      providers: slugs
        .map(([provider, signal]) => ({ provider, signal }))
        .sort((a, b) => order(a.provider) - order(b.provider) || (a.provider < b.provider ? -1 : 1)),
      info: this.#info,
    };
  }

  #takeSignal(provider: string, text: string): void {
    const decoded = decodePayload('signal', text);
    if (decoded.kind === 'payload') this.#signals.set(provider, decoded.payload);
    else if (decoded.kind === 'cleared') this.#signals.delete(provider);
  }

  #takeHubState(text: string, now: number): void {
    const state = payloadOf('hubState', text);
    if (state === 'online') this.#hub = { state };
    else this.#gone(state === 'offline' ? 'it has stopped' : 'it says nothing of itself', now);
  }

  /** The first reason stays: a hub that has stopped closes the connection next, and that says less. */
  #gone(reason: string, now: number): void {
    if (this.#hub.state === 'online' || this.#hub.since === 0)
      this.#hub = { state: 'gone', since: now, reason };
  }
}

function payloadOf<N extends 'hubState' | 'hubInfo' | 'lampAll' | 'line'>(name: N, text: string) {
  const decoded = decodePayload(name, text);
  return decoded.kind === 'payload' ? decoded.payload : undefined;
}
