import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { onTestFinished } from 'vitest';

/** MQTT control packet types [MQTT-2.2.1]. */
export const TYPE = {
  connect: 1,
  connack: 2,
  publish: 3,
  puback: 4,
  pubrec: 5,
  pubrel: 6,
  pubcomp: 7,
  subscribe: 8,
  suback: 9,
  pingreq: 12,
  pingresp: 13,
  disconnect: 14,
} as const;

/** A packet as it was on the wire. */
export interface RawPacket {
  readonly type: number;
  readonly flags: number;
  /** Everything behind the fixed header. */
  readonly body: Buffer;
}

/** The remaining length, one to four bytes. */
export function remainingLength(length: number): Buffer {
  const bytes: number[] = [];
  let rest = length;
  do {
    const digit = rest % 128;
    rest = (rest - digit) / 128;
    bytes.push(rest > 0 ? digit | 0x80 : digit);
  } while (rest > 0);
  return Buffer.from(bytes);
}

export function packet(type: number, flags: number, ...parts: Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([(type << 4) | flags]), remainingLength(body.length), body]);
}

function uint16(value: number): Buffer {
  return Buffer.from([value >> 8, value & 0xff]);
}

export function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([uint16(bytes.length), bytes]);
}

export interface ConnectOptions {
  readonly clientId?: string;
  readonly clean?: boolean;
  /** Seconds. */
  readonly keepalive?: number;
  readonly version?: number;
  readonly username?: string;
  readonly password?: string;
  readonly will?: {
    readonly topic: string;
    readonly payload: string;
    readonly retain?: boolean;
    readonly qos?: number;
  };
}

let made = 0;

export function connectPacket(options: ConnectOptions = {}): Buffer {
  const { clean = true, keepalive = 0, version = 4, username, password, will } = options;
  made += 1;
  const flags =
    (clean ? 0x02 : 0) |
    (will === undefined ? 0 : 0x04 | ((will.qos ?? 0) << 3) | (will.retain === true ? 0x20 : 0)) |
    (password === undefined ? 0 : 0x40) |
    (username === undefined ? 0 : 0x80);
  return packet(
    TYPE.connect,
    0,
    text('MQTT'),
    Buffer.from([version, flags]),
    uint16(keepalive),
    // MQTT 5 has properties here.
    ...(version === 5 ? [Buffer.from([0])] : []),
    text(options.clientId ?? `raw-${made}`),
    ...(will === undefined ? [] : [text(will.topic), text(will.payload)]),
    ...(username === undefined ? [] : [text(username)]),
    ...(password === undefined ? [] : [text(password)]),
  );
}

export interface PublishOptions {
  readonly qos?: 0 | 1 | 2;
  readonly id?: number;
  readonly retain?: boolean;
  readonly dup?: boolean;
}

export function publishPacket(
  topic: string,
  payload: string | Uint8Array,
  options: PublishOptions = {},
): Buffer {
  const { qos = 1, id = 1, retain = false, dup = false } = options;
  return packet(
    TYPE.publish,
    (dup ? 8 : 0) | (qos << 1) | (retain ? 1 : 0),
    text(topic),
    ...(qos === 0 ? [] : [uint16(id)]),
    typeof payload === 'string' ? Buffer.from(payload) : payload,
  );
}

export function subscribePacket(filters: readonly string[], id = 1, qos = 1): Buffer {
  return packet(
    TYPE.subscribe,
    2,
    uint16(id),
    ...filters.flatMap((filter) => [text(filter), Buffer.from([qos])]),
  );
}

export function pubrelPacket(id: number): Buffer {
  return packet(TYPE.pubrel, 2, uint16(id));
}

export const PINGREQ = packet(TYPE.pingreq, 0);
export const DISCONNECT = packet(TYPE.disconnect, 0);

/** A client that sends exactly the bytes it is given and answers nothing by itself. */
export interface RawClient {
  readonly stream: Duplex;
  send(...packets: Uint8Array[]): void;
  /** The next packet; rejects when the connection closes before it comes. */
  nextPacket(): Promise<RawPacket>;
  /** Sends CONNECT and waits for the CONNACK; returns its return code. */
  handshake(options?: ConnectOptions): Promise<number>;
  /** Resolves when the broker has closed the connection; rejects when it sends a packet instead. */
  expectClosed(): Promise<void>;
}

/** Opens a TCP connection (a port on 127.0.0.1) or a Unix socket (a path) that is closed when the running test is over. */
export async function rawClient(target: number | string): Promise<RawClient> {
  const socket: Socket = typeof target === 'number' ? connect(target, '127.0.0.1') : connect(target);
  await once(socket, 'connect');
  socket.setNoDelay(true);
  return rawClientOn(socket);
}

/** The same over a stream that is open already. */
export function rawClientOn(stream: Duplex): RawClient {
  const received: RawPacket[] = [];
  const waiting: { resolve: (packet: RawPacket) => void; reject: (error: Error) => void }[] = [];
  let buffered = Buffer.alloc(0);
  let closed = false;
  let onClosed = (): void => undefined;
  onTestFinished(() => void stream.destroy());

  stream.on('error', () => undefined);
  stream.on('data', (chunk: Buffer) => {
    buffered = Buffer.concat([buffered, chunk]);
    for (let next = take(); next !== undefined; next = take()) {
      const waiter = waiting.shift();
      if (waiter === undefined) received.push(next);
      else waiter.resolve(next);
    }
  });
  stream.on('close', () => {
    closed = true;
    for (const { reject } of waiting.splice(0)) reject(new Error('the connection was closed'));
    onClosed();
  });

  function take(): RawPacket | undefined {
    let length = 0;
    let at = 1;
    for (let shift = 0; ; shift += 7) {
      const byte = buffered[at];
      if (byte === undefined) return undefined;
      at += 1;
      length |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    if (buffered.length < at + length) return undefined;
    const first = buffered.readUInt8(0);
    const taken = { type: first >> 4, flags: first & 0xf, body: buffered.subarray(at, at + length) };
    buffered = buffered.subarray(at + length);
    return taken;
  }

  const client: RawClient = {
    stream,
    send(...packets) {
      stream.write(Buffer.concat(packets));
    },
    async nextPacket() {
      const next = received.shift();
      if (next !== undefined) return next;
      if (closed) throw new Error('the connection was closed');
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    },
    async handshake(options) {
      client.send(connectPacket(options));
      const { type, body } = await client.nextPacket();
      if (type !== TYPE.connack) throw new Error(`packet type ${type} instead of CONNACK`);
      return body.readUInt8(1);
    },
    async expectClosed() {
      const unexpected = received.shift();
      if (unexpected !== undefined) throw new Error(`packet type ${unexpected.type} instead of the end`);
      if (closed) return;
      await new Promise<void>((resolve, reject) => {
        onClosed = resolve;
        waiting.push({
          resolve: ({ type }) => reject(new Error(`packet type ${type} instead of the end`)),
          reject: () => resolve(),
        });
      });
    },
  };
  return client;
}
