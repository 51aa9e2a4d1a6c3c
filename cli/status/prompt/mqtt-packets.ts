import { remainingLength, textField } from '../../../runtime/mqtt-packets.ts';

/** The few MQTT 3.1.1 packets of a client that only looks [MQTT 3.1.1, section 3]. MQTT.js alone takes longer to load than a prompt may take. */

const SUBSCRIBE = 0x82;
const PUBLISH = 0x30;

/** SUBSCRIBE with QoS 0: nothing has to be acknowledged. */
export function subscribePacket(filters: readonly string[]): Buffer {
  const body = Buffer.concat([
    Buffer.from([0, 1]),
    ...filters.flatMap((filter) => [textField(filter), Buffer.from([0])]),
  ]);
  return Buffer.concat([Buffer.from([SUBSCRIBE]), remainingLength(body.length), body]);
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
