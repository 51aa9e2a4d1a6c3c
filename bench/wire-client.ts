import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A publish that came in. */
export type OnMessage = (topic: string, payload: Buffer) => void;

/**
 * The smallest MQTT 3.1.1 client that measures: no library's own work shall stand in the figures. It handles QoS 1 both ways and nothing else; packets of ours are
 * small, so a packet's length takes at most two bytes.
 */
export class WireClient {
  readonly #socket: Socket;
  readonly #onMessage: OnMessage;
  #rest: Buffer = Buffer.alloc(0);
  #id = 0;
  #connected: (() => void) | undefined;
  #subscribed: (() => void) | undefined;
  #gathering = false;
  /** Called for each PUBACK. */
  onAck: () => void = () => undefined;

  private constructor(socket: Socket, onMessage: OnMessage) {
    this.#socket = socket;
    this.#onMessage = onMessage;
  }

  static async open(
    port: number,
    clientId: string,
    onMessage: OnMessage = () => undefined,
  ): Promise<WireClient> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const client = new WireClient(socket, onMessage);
    socket.on('data', (chunk: Buffer) => client.#read(chunk));
    await once(socket, 'connect');
    const connected = new Promise<void>((resolve) => {
      client.#connected = resolve;
    });
    socket.write(packet(0x10, text('MQTT'), Buffer.from([4, 2, 0, 0]), text(clientId)));
    await connected;
    return client;
  }

  async subscribe(filter: string): Promise<void> {
    const subscribed = new Promise<void>((resolve) => {
      this.#subscribed = resolve;
    });
    this.#write(packet(0x82, uint16(this.#nextId()), text(filter), Buffer.from([1])));
    await subscribed;
  }

  /** Publishes at QoS 1. */
  publish(topic: string, payload: string | Buffer): void {
    this.#write(packet(0x32, text(topic), uint16(this.#nextId()), Buffer.from(payload)));
  }

  close(): void {
    this.#socket.destroy();
  }

  /** What is written in one turn goes out in one piece: a system call for each packet would be the load's own cost, not the broker's. */
  #write(data: Buffer): void {
    if (!this.#gathering) {
      this.#gathering = true;
      this.#socket.cork();
      process.nextTick(() => {
        this.#gathering = false;
        this.#socket.uncork();
      });
    }
    this.#socket.write(data);
  }

  #nextId(): number {
    this.#id = (this.#id % 0xffff) + 1;
    return this.#id;
  }

  #read(chunk: Buffer): void {
    let data = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    for (let size = packetSize(data); size !== undefined; size = packetSize(data)) {
      this.#take(data.subarray(0, size));
      data = data.subarray(size);
    }
    this.#rest = data;
  }

  #take(whole: Buffer): void {
    const body = whole.subarray((whole[1] ?? 0) & 0x80 ? 3 : 2);
    switch ((whole[0] ?? 0) >> 4) {
      case 2:
        return this.#connected?.();
      case 3: {
        const end = 2 + body.readUInt16BE(0);
        const isAcked = ((whole[0] ?? 0) & 0x06) !== 0;
        if (isAcked) this.#write(packet(0x40, body.subarray(end, end + 2)));
        return this.#onMessage(body.toString('utf8', 2, end), body.subarray(isAcked ? end + 2 : end));
      }
      case 4:
        return this.onAck();
      case 9:
        return this.#subscribed?.();
    }
  }
}

function packetSize(data: Buffer): number | undefined {
  const [, low = 0, high = 0] = data;
  if (data.length < 2 || (low & 0x80 && data.length < 3)) return undefined;
  const size = low & 0x80 ? 3 + (low & 0x7f) + high * 128 : 2 + low;
  return data.length < size ? undefined : size;
}

function packet(head: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const length =
    body.length < 128 ? [body.length] : [(body.length % 128) | 0x80, Math.floor(body.length / 128)];
  return Buffer.concat([Buffer.from([head, ...length]), body]);
}

function text(value: string): Buffer {
  return Buffer.concat([uint16(Buffer.byteLength(value)), Buffer.from(value)]);
}

function uint16(value: number): Buffer {
  return Buffer.from([value >> 8, value & 0xff]);
}
