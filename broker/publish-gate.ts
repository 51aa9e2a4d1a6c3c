import type { Client, PublishPacket } from 'aedes';
import type { TopicParams } from '../protocol/topics.ts';
import type { Connection } from './connections.ts';
import type { PublishGate } from './options.ts';
import type { BrokerPersistence } from './persistence/broker-persistence.ts';

type Done = (error?: Error | null) => void;

const NOTHING = Buffer.alloc(0);

/** Holds the acknowledgement of hook publishes until the gate has dealt with them (spec: bus, "Durability" 1). */
export class Gatekeeper {
  readonly #gate: PublishGate;
  readonly #persistence: BrokerPersistence;
  /** QoS 2 publishes in the gate, by session and packet identifier. */
  readonly #once = new Map<string, Promise<Uint8Array | undefined>>();
  #inside = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(gate: PublishGate, persistence: BrokerPersistence) {
    this.#gate = gate;
    this.#persistence = persistence;
  }

  /**
   * Passes one publish through the gate and calls `answer` in its turn: with nothing when the packet holds what the gate put there, with an error when
   * it couldn't be committed.
   */
  pass(
    connection: Connection,
    client: Client,
    packet: PublishPacket,
    params: TopicParams,
    answer: Done,
  ): void {
    const reply = connection.replies.take();
    this.#inside += 1;
    const dealtWith =
      packet.qos === 2
        ? this.#exactlyOnce(connection, client, packet, params)
        : this.#ask(client, packet, params);
    dealtWith.then(
      (bytes) => {
        if (bytes !== undefined) {
          packet.payload = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        }
        packet.retain = false;
        connection.replies.settle(reply, () => {
          if (wantsAnswer(client, packet)) answer(null);
        });
        this.#leave();
      },
      (error: unknown) => {
        const failure = error instanceof Error ? error : new Error('not committed');
        connection.replies.fail(reply, () => answer(failure));
        this.#leave();
      },
    );
  }

  /** Resolves when no publish is in the gate and the answers have been written. */
  async settled(): Promise<void> {
    if (this.#inside > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    // Aedes' writer gathers what is written in one turn, and a socket that is destroyed in that turn drops it.
    await new Promise(setImmediate);
  }

  #leave(): void {
    this.#inside -= 1;
    if (this.#inside > 0) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  async #ask(client: Client, packet: PublishPacket, params: TopicParams): Promise<Uint8Array> {
    const payload = packet.payload as Buffer;
    // From here on the raw payload is the gate's alone: nothing in Aedes holds it while it waits.
    packet.payload = NOTHING;
    return this.#gate({ topic: packet.topic, params, payload, clientId: client.id });
  }

  /**
   * A QoS 2 publish may be sent again until its PUBREC arrives, also over a new connection, and Aedes asks for permission before it looks whether it has
   * it already [MQTT-4.3.3-2]. Resolves to `undefined` when it has: the packet goes no further.
   */
  async #exactlyOnce(
    connection: Connection,
    client: Client,
    packet: PublishPacket,
    params: TopicParams,
  ): Promise<Uint8Array | undefined> {
    const session = client.clean ? `connection ${connection.serial}` : `session ${client.id}`;
    const key = `${packet.messageId} ${session}`;
    const running = this.#once.get(key);
    if (running !== undefined) {
      packet.payload = NOTHING;
      const bytes = await running;
      // One turn later, so that the first of the two is in the store when Aedes looks for it.
      await new Promise(setImmediate);
      return bytes;
    }
    const asked = this.#unlessStored(client, packet, params);
    this.#once.set(key, asked);
    try {
      return await asked;
    } finally {
      setImmediate(() => this.#once.delete(key));
    }
  }

  async #unlessStored(
    client: Client,
    packet: PublishPacket,
    params: TopicParams,
  ): Promise<Uint8Array | undefined> {
    const stored = await this.#persistence.incomingGetPacket(client, packet).catch(() => undefined);
    if (stored === undefined) return this.#ask(client, packet, params);
    packet.payload = NOTHING;
    return undefined;
  }
}

/**
 * On a closed connection there is nobody to acknowledge to, and Aedes would only raise an error. What needs no acknowledgement is forwarded all the same,
 * and a persistent session has to remember what it was sent, so that its retransmission is known.
 */
function wantsAnswer(client: Client, packet: PublishPacket): boolean {
  return !client.closed || packet.qos === 0 || (packet.qos === 2 && !client.clean);
}
