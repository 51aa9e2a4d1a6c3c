import { SignalboxError } from '../../protocol/errors.ts';
import type { Topics } from '../../protocol/topics.ts';
import { connectLink, type Link, type LinkMessage, type LinkOptions } from '../../runtime/link.ts';
import type { Log } from '../../runtime/log.ts';
import type { Aggregator } from './aggregator.ts';
import { barrier } from '../../runtime/barrier.ts';

export interface HookIntakeOptions {
  readonly broker: Pick<LinkOptions, 'url' | 'username' | 'password'>;
  readonly topics: Topics;
  readonly hubId: string;
  readonly accept: Aggregator['accept'];
  /** Called each time when what the broker had kept for us is taken over. */
  readonly drained: Aggregator['drained'];
  readonly log: Log;
}

/**
 * Takes hook events from a broker that isn't ours: a persistent session of its own on `hook/+`, each event acknowledged only once it is on disk (spec: bus, "Durability" 2).
 * What the broker kept for us while we were away comes first and is not live.
 */
export class HookIntake {
  readonly #options: HookIntakeOptions;
  #link: Link | undefined;
  #live = false;

  constructor(options: HookIntakeOptions) {
    this.#options = options;
  }

  /** Resolves when what the broker had kept for us is taken over, or could not be: from then on events are live. @throws SignalboxError `broker_unreachable` */
  async start(): Promise<void> {
    const { broker, topics, hubId, log } = this.#options;
    const link = connectLink({
      ...broker,
      topics,
      log,
      clientId: hooksClientId(hubId),
      clean: false,
      acknowledge: (message) => this.#take(message),
    });
    this.#link = link;
    link.onLost(() => {
      this.#live = false;
    });
    await link.ready({ once: true });
    await link.subscribe('hook', {}, () => undefined);
    await new Promise<void>((resolve) => {
      link.onConnect(async () => {
        await barrier(link, `${hubId}-hooks`);
        this.#live = true;
        this.#options.drained();
        resolve();
      });
      // A commit has failed, or the broker went away: both are tried again, and the hub starts all the same.
      link.onLost(() => resolve());
    });
  }

  /** Resolves when the broker has granted the subscription on the connection that stands: a broker that has lost our session drops what is published before. */
  hears(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#link?.onConnect(() => {
        cancel?.();
        resolve();
      });
    });
  }

  async stop(): Promise<void> {
    await this.#link?.close();
    this.#link = undefined;
  }

  async #take({ name, params, payload }: LinkMessage): Promise<void> {
    if (name !== 'hook') return;
    const { accept } = this.#options;
    try {
      await accept(params['provider'] ?? '', payload, { live: this.#live });
    } catch (error) {
      throw error instanceof SignalboxError
        ? error
        : new SignalboxError('not_committed', { reason: 'unknown' }, { cause: error });
    }
  }
}

/** The name of the session that another broker keeps for a hub's hook events. */
export function hooksClientId(hubId: string): string {
  return `signalbox-${hubId}-hooks`;
}
