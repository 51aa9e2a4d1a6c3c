// The package's types don't cover this path, and its main export wraps the class in callbacks.
declare module 'aedes-persistence/asyncPersistence.js' {
  import type { Readable } from 'node:stream';

  interface StoredPacket {
    readonly topic: string;
    readonly payload: Uint8Array;
    readonly messageId?: number;
  }

  class MemoryPersistence {
    storeRetained(packet: StoredPacket): Promise<void>;
    createRetainedStream(pattern: string): Readable;
    createRetainedStreamCombi(patterns: string[]): Readable;
    outgoingEnqueue(subscription: { clientId: string }, packet: StoredPacket): Promise<void>;
    outgoingEnqueueCombi(subscriptions: { clientId: string }[], packet: StoredPacket): Promise<void>;
    outgoingClearMessageId(client: { id: string }, packet: StoredPacket): Promise<StoredPacket | undefined>;
  }

  export = MemoryPersistence;
}
