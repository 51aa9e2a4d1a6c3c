import { Readable } from 'node:stream';
import AsyncPersistence from 'aedes-persistence/asyncPersistence.js';
import { RetainedIndex } from './retained-index.ts';

type StoredPacket = Parameters<AsyncPersistence['storeRetained']>[0];

const NOTHING = Buffer.alloc(0);

/** aedes-persistence in memory, with an index of retained topics and a bound on what a session that is away may pile up. */
export class MemoryPersistence extends AsyncPersistence {
  readonly #retained = new RetainedIndex<StoredPacket>();
  readonly #queued = new Map<string, number>();
  readonly #longestQueue: number;

  /** @param longestQueue messages kept for one session; above it the oldest go */
  constructor(longestQueue: number) {
    super();
    this.#longestQueue = longestQueue;
  }

  override async storeRetained(packet: StoredPacket): Promise<void> {
    if (packet.payload.length === 0) this.#retained.delete(packet.topic);
    else this.#retained.set(packet.topic, { ...packet });
  }

  override createRetainedStream(pattern: string): Readable {
    return this.createRetainedStreamCombi([pattern]);
  }

  override createRetainedStreamCombi(patterns: string[]): Readable {
    const found = patterns.flatMap((pattern) => this.#retained.match(pattern));
    return Readable.from(found.map((packet) => this.#asSent(packet)));
  }

  /**
   * Its payload is read when it is sent, not when the subscription was made: the subscription stands by then, so a newer value is delivered too, and
   * may already have been. What was retained before it must not come after it.
   */
  #asSent(packet: StoredPacket): StoredPacket {
    const retained = this.#retained;
    return Object.defineProperty({ ...packet }, 'payload', {
      get: () => retained.match(packet.topic)[0]?.payload ?? NOTHING,
    });
  }

  override async outgoingEnqueue(subscription: { clientId: string }, packet: StoredPacket): Promise<void> {
    await super.outgoingEnqueue(subscription, packet);
    await this.#bound(subscription.clientId);
  }

  override async outgoingEnqueueCombi(
    subscriptions: { clientId: string }[],
    packet: StoredPacket,
  ): Promise<void> {
    await super.outgoingEnqueueCombi(subscriptions, packet);
    for (const { clientId } of subscriptions) await this.#bound(clientId);
  }

  override async outgoingClearMessageId(
    client: { id: string },
    packet: StoredPacket,
  ): Promise<StoredPacket | undefined> {
    const cleared = await super.outgoingClearMessageId(client, packet);
    const queued = this.#queued.get(client.id) ?? 0;
    if (cleared !== undefined && queued > 1) this.#queued.set(client.id, queued - 1);
    else if (cleared !== undefined) this.#queued.delete(client.id);
    return cleared;
  }

  async #bound(clientId: string): Promise<void> {
    const queued = (this.#queued.get(clientId) ?? 0) + 1;
    this.#queued.set(clientId, queued);
    if (queued <= this.#longestQueue) return;
    // The oldest message that was never sent has no packet identifier yet, and is the first that this finds.
    await this.outgoingClearMessageId({ id: clientId }, { topic: '', payload: new Uint8Array() });
  }
}
