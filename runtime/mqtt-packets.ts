/** What MQTT 3.1.1 packets are made of, for programs that have no time to load MQTT.js: a hook's sender, the line of a prompt [MQTT 3.1.1, sections 2 and 3]. */

const CONNECT = 0x10;
const CLEAN_SESSION = 0x02;

/** CONNECT of a client without user name, will and keepalive. @param clientId empty: the broker makes one */
export function connectPacket(clientId = ''): Buffer {
  const id = textField(clientId);
  return Buffer.concat([
    Buffer.from([CONNECT]),
    remainingLength(10 + id.length),
    textField('MQTT'),
    Buffer.from([4, CLEAN_SESSION, 0, 0]),
    id,
  ]);
}

/** One to four bytes, seven bits each [MQTT 3.1.1, section 2.2.3]. @throws RangeError for more than 268,435,455 */
export function remainingLength(length: number): Buffer {
  if (length > 268_435_455) throw new RangeError('no MQTT packet is that long');
  const bytes: number[] = [];
  let rest = length;
  do {
    const digit = rest % 128;
    rest = (rest - digit) / 128;
    bytes.push(rest > 0 ? digit | 0x80 : digit);
  } while (rest > 0);
  return Buffer.from(bytes);
}

/** A text with its length in front [MQTT 3.1.1, section 1.5.3]. */
export function textField(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes]);
}
