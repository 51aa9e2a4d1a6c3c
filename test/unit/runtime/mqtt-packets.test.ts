import { describe, expect, it } from 'vitest';
import { connectPacket, remainingLength } from '../../../runtime/mqtt-packets.ts';
import * as raw from '../../support/raw-mqtt.ts';

describe('packets', () => {
  // The table of MQTT 3.1.1, section 2.2.3.
  it.each([
    [0, [0x00]],
    [127, [0x7f]],
    [128, [0x80, 0x01]],
    [16_383, [0xff, 0x7f]],
    [16_384, [0x80, 0x80, 0x01]],
    [2_097_151, [0xff, 0xff, 0x7f]],
    [2_097_152, [0x80, 0x80, 0x80, 0x01]],
    [268_435_455, [0xff, 0xff, 0xff, 0x7f]],
  ])('writes a remaining length of %i', (length, bytes) => {
    expect([...remainingLength(length)]).toEqual(bytes);
  });

  it('refuses what no packet can hold', () => {
    expect(() => remainingLength(268_435_456)).toThrow(RangeError);
  });

  it('is byte for byte a CONNECT, with a name and without one', () => {
    for (const clientId of ['sb-1', ''])
      expect(connectPacket(clientId)).toEqual(raw.connectPacket({ clientId }));
    expect(connectPacket()).toEqual(connectPacket(''));
  });
});
