import { remainingLength, textField } from '../../runtime/mqtt-packets.ts';

/** The few MQTT 3.1.1 packets of a client that publishes once and goes [MQTT 3.1.1, section 3]. */

const CONNACK = 0x20;
/** PUBLISH with QoS 1, neither retained nor repeated. */
const PUBLISH = 0x32;
const PUBACK = 0x40;
/** Any but 0 will do [MQTT-2.3.1-1]. */
const PACKET_ID = 1;

export const DISCONNECT: Uint8Array = Buffer.from([0xe0, 0x00]);

/** PUBLISH up to its payload of that many bytes, which follows as it is: nobody copies 10 MB. */
export function publishHead(topic: string, payloadBytes: number): Buffer {
  const name = textField(topic);
  return Buffer.concat([
    Buffer.from([PUBLISH]),
    remainingLength(name.length + 2 + payloadBytes),
    name,
    Buffer.from([0, PACKET_ID]),
  ]);
}

/** What the broker answers. `refused`: anything that isn't the one or the other. */
export type Answer = 'connected' | 'acknowledged' | 'refused';

/** Reads the broker's answers as they come, in whatever pieces. Both have four bytes; nothing else is ever sent to us. */
export function createAnswerReader(): (chunk: Uint8Array) => Answer[] {
  let pending: Uint8Array = Buffer.alloc(0);
  return (chunk) => {
    const bytes = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    const answers: Answer[] = [];
    let at = 0;
    for (; bytes.length - at >= 4; at += 4) answers.push(answerOf(bytes.subarray(at, at + 4)));
    pending = bytes.subarray(at);
    return answers;
  };
}

function answerOf([type, length, third, fourth]: Uint8Array): Answer {
  if (length !== 2) return 'refused';
  if (type === CONNACK && fourth === 0) return 'connected';
  if (type === PUBACK && third === 0 && fourth === PACKET_ID) return 'acknowledged';
  return 'refused';
}
