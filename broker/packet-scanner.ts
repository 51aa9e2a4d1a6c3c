/** Why a byte stream must not go on. */
export type ScanFault =
  | { readonly code: 'malformed' }
  | { readonly code: 'too_large'; readonly limit: number; readonly topic?: string };

export interface ScanLimits {
  /** Longest payload of a publish on this topic, in bytes. */
  readonly payload: (topic: string) => number;
  /** Longest remaining length of any packet that isn't looked into. */
  readonly packet: number;
}

const PUBLISH = 3;
/** A large publish must say early where it goes: its topic's length isn't allowed to be a hiding place. */
const LONGEST_TOPIC = 1_024;

/**
 * Follows the fixed headers of an MQTT 3.1.1 byte stream, whatever way it is cut into chunks, and finds a packet that is too large by its first bytes
 * (Aedes 1.2 has no limit of its own, and none before authentication). It copies nothing but the topic of a large publish.
 */
export class PacketScanner {
  /** Bytes of the unfinished packet so far; 0 at a packet's end. */
  partial = 0;
  fault: ScanFault | undefined;

  readonly #limits: ScanLimits;
  #stage: 'type' | 'length' | 'topic' | 'body' = 'type';
  #first = 0;
  /** Bytes of the packet after its fixed header that are still to come. */
  #left = 0;
  #shift = 0;
  #remaining = 0;
  #head: number[] = [];

  constructor(limits: ScanLimits) {
    this.#limits = limits;
  }

  /** Reads on from `offset` to the end of the packet or of the chunk, and returns where it stopped. After a fault nothing may be read on. */
  next(chunk: Uint8Array, offset: number): number {
    const end = this.#advance(chunk, offset);
    if (this.#stage === 'body' && this.#left === 0) {
      this.#stage = 'type';
      this.partial = 0;
    } else {
      this.partial += end - offset;
    }
    return end;
  }

  #advance(chunk: Uint8Array, offset: number): number {
    let at = offset;
    while (at < chunk.length && this.#stage !== 'body') {
      this.#byte(chunk[at] as number);
      at += 1;
      if (this.fault !== undefined) return at;
    }
    if (this.#stage !== 'body') return at;
    const skipped = Math.min(this.#left, chunk.length - at);
    this.#left -= skipped;
    return at + skipped;
  }

  #byte(byte: number): void {
    if (this.#stage === 'type') {
      this.#first = byte;
      this.#remaining = 0;
      this.#shift = 0;
      this.#stage = 'length';
    } else if (this.#stage === 'length') {
      this.#remaining |= (byte & 0x7f) << this.#shift;
      this.#shift += 7;
      // [MQTT-2.2.3]: at most four bytes.
      if (byte < 0x80) this.#measure();
      else if (this.#shift > 21) this.fault = { code: 'malformed' };
    } else {
      this.#left -= 1;
      this.#head.push(byte);
      this.#topic();
    }
  }

  #measure(): void {
    this.#left = this.#remaining;
    this.#stage = 'body';
    if (this.#remaining <= this.#limits.packet) return;
    if (this.#first >> 4 === PUBLISH) {
      this.#head = [];
      this.#stage = 'topic';
    } else {
      this.fault = { code: 'too_large', limit: this.#limits.packet };
    }
  }

  #topic(): void {
    if (this.#head.length < 2) return;
    const length = ((this.#head[0] as number) << 8) | (this.#head[1] as number);
    if (2 + length > this.#remaining) this.fault = { code: 'malformed' };
    else if (length > LONGEST_TOPIC) this.fault = { code: 'too_large', limit: this.#limits.packet };
    if (this.fault !== undefined || this.#head.length < 2 + length) return;
    const topic = Buffer.from(this.#head.slice(2)).toString('utf8');
    const identifier = (this.#first & 0b110) === 0 ? 0 : 2;
    const limit = this.#limits.payload(topic);
    if (this.#left - identifier > limit) this.fault = { code: 'too_large', limit, topic };
    this.#head = [];
    this.#stage = 'body';
  }
}
