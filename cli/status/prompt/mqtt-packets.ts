/** The few MQTT 3.1.1 packets of a client that only looks [MQTT 3.1.1, section 3]. MQTT.js alone takes longer to load than a prompt may take. */

const CONNECT = 0x10;
const SUBSCRIBE = 0x82;
const PUBLISH = 0x30;
const CLEAN_SESSION = 0x02;

/** CONNECT of a client without a name, a will and a keepalive. */
export function connectPacket(): Buffer {
  return packet(CONNECT, [field('MQTT'), Buffer.from([4, CLEAN_SESSION, 0, 0]), field('')]);
}

/** SUBSCRIBE with QoS 0: nothing has to be acknowledged. */
export function subscribePacket(filters: readonly string[]): Buffer {
  return packet(SUBSCRIBE, [
    Buffer.from([0, 1]),
    ...filters.flatMap((filter) => [field(filter), Buffer.from([0])]),
  ]);
}

export interface Packet {
  /** Type and flags. */
  readonly head: Uint8Array;
  readonly body: Buffer;
}

/** Takes what comes apart into packets, in whatever pieces it comes. */
export function createPacketReader(): (chunk: Uint8Array) => Packet[] {
  let pending: Buffer = Buffer.alloc(0);
  return (chunk) => {
    pending = Buffer.concat([pending, chunk]);
    const packets: Packet[] = [];
    for (;;) {
      const length = lengthIn(pending);
      if (length === undefined || pending.length < length.end + length.value) return packets;
      const end = length.end + length.value;
      packets.push({ head: pending.subarray(0, 1), body: pending.subarray(length.end, end) });
      pending = pending.subarray(end);
    }
  };
}

/** Topic and text of a PUBLISH; `undefined` for any other packet. */
export function publishedIn({ head, body }: Packet): { topic: string; text: string } | undefined {
  const [type = 0] = head;
  if ((type & 0xf0) !== PUBLISH || body.length < 2) return undefined;
  const end = 2 + body.readUInt16BE(0);
  const payload = end + ((type & 0x06) === 0 ? 0 : 2);
  return { topic: body.toString('utf8', 2, end), text: body.toString('utf8', payload) };
}

/** One to four bytes, seven bits each [MQTT 3.1.1, section 2.2.3]. */
function lengthIn(bytes: Buffer): { value: number; end: number } | undefined {
  let value = 0;
  for (let index = 1; index < bytes.length && index <= 4; index += 1) {
    const digit = bytes[index] ?? 0;
    value += (digit & 0x7f) * 128 ** (index - 1);
    if (digit < 0x80) return { value, end: index + 1 };
  }
  return undefined;
}

function packet(type: number, parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const length: number[] = [];
  let rest = body.length;
  do {
    const digit = rest % 128;
    rest = (rest - digit) / 128;
    length.push(rest > 0 ? digit | 0x80 : digit);
  } while (rest > 0);
  return Buffer.concat([Buffer.from([type, ...length]), body]);
}

function field(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes]);
}
