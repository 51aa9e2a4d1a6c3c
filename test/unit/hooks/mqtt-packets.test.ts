import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAnswerReader, DISCONNECT, publishHead } from '../../../hooks/sender/mqtt-packets.ts';
import * as raw from '../../support/raw-mqtt.ts';

describe('packets', () => {
  it('is byte for byte a DISCONNECT', () => {
    expect(DISCONNECT).toEqual(raw.DISCONNECT);
  });

  it('is byte for byte a PUBLISH of QoS 1, whatever the topic and size', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.nat(40_000), (topic, length) => {
        const payload = Buffer.alloc(length, 'x');
        const sent = Buffer.concat([publishHead(topic, length), payload]);
        expect(sent.equals(raw.publishPacket(topic, payload))).toBe(true);
      }),
    );
  });
});

describe('answers', () => {
  const CONNACK = [0x20, 0x02, 0x00, 0x00];
  const PUBACK = [0x40, 0x02, 0x00, 0x01];

  it('reads them in whatever pieces they come', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 8 })), (cuts) => {
        const bytes = Buffer.from([...CONNACK, ...PUBACK]);
        const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        const read = createAnswerReader();
        const answers = at.slice(1).flatMap((end, index) => read(bytes.subarray(at[index], end)));
        expect(answers).toEqual(['connected', 'acknowledged']);
      }),
    );
  });

  it.each([
    ['a CONNACK with a return code', [0x20, 0x02, 0x00, 0x05]],
    ["a PUBACK of somebody else's packet", [0x40, 0x02, 0x00, 0x02]],
    ['another packet', [0xd0, 0x00, 0x00, 0x00]],
    ['another protocol', [...Buffer.from('HTTP')]],
  ])('takes %s for a refusal', (_name, bytes) => {
    expect(createAnswerReader()(Buffer.from(bytes))).toEqual(['refused']);
  });
});
