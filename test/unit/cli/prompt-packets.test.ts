import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPacketReader, publishedIn } from '../../../cli/status/prompt/mqtt-packets.ts';

/** PUBLISH as a broker writes it [MQTT 3.1.1, section 3.3]. */
function publish(topic: string, text: string, qos: 0 | 1): Buffer {
  const name = Buffer.from(topic);
  const body = Buffer.concat([
    Buffer.from([name.length >> 8, name.length & 0xff]),
    name,
    ...(qos === 1 ? [Buffer.from([0x12, 0x34])] : []),
    Buffer.from(text),
  ]);
  const length =
    body.length < 128 ? [body.length] : [(body.length % 128) | 0x80, Math.floor(body.length / 128)];
  return Buffer.concat([Buffer.from([0x31 | (qos << 1), ...length]), body]);
}

describe('packets that come in pieces', () => {
  it('are read as they were sent, wherever they are cut', () => {
    const message = fc.record({
      topic: fc.string({ minLength: 1, maxLength: 20 }),
      text: fc.string({ unit: 'grapheme', maxLength: 300 }),
      qos: fc.constantFrom(0 as const, 1 as const),
    });
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 5 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 40 })),
        (sent, cuts) => {
          const bytes = Buffer.concat(sent.map(({ topic, text, qos }) => publish(topic, text, qos)));
          const read = createPacketReader();
          const found = [];
          for (let at = 0; at < bytes.length; ) {
            const size = cuts.next().value ?? 1;
            found.push(...read(bytes.subarray(at, at + size)));
            at += size;
          }
          expect(found.map(publishedIn)).toEqual(sent.map(({ topic, text }) => ({ topic, text })));
        },
      ),
    );
  });

  it('that are no PUBLISH are none', () => {
    const [packet] = createPacketReader()(Buffer.from([0x90, 3, 0, 1, 0]));
    expect(packet).toBeDefined();
    expect(packet && publishedIn(packet)).toBeUndefined();
  });
});
