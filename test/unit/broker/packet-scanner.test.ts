import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PacketScanner, type ScanFault } from '../../../broker/packet-scanner.ts';
import { packet, publishPacket, remainingLength, subscribePacket } from '../../support/raw-mqtt.ts';

const LIMITS = { packet: 100, payload: (topic: string) => (topic === 'large' ? 1_000 : 100) };

/** Scans chunks to their end; returns where packets ended, counted over all chunks, and the first fault. */
function scan(chunks: readonly Uint8Array[]): {
  ends: number[];
  fault: ScanFault | undefined;
  partial: number;
} {
  const scanner = new PacketScanner(LIMITS);
  const ends: number[] = [];
  let before = 0;
  for (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      at = scanner.next(chunk, at);
      if (scanner.fault !== undefined) return { ends, fault: scanner.fault, partial: scanner.partial };
      if (scanner.partial === 0) ends.push(before + at);
    }
    before += chunk.length;
  }
  return { ends, fault: undefined, partial: scanner.partial };
}

const anyPacket = fc.oneof(
  fc.nat(100).map((length) => publishPacket('small', Buffer.alloc(length), { qos: 0 })),
  fc.nat(1_000).map((length) => publishPacket('large', Buffer.alloc(length), { qos: 2 })),
  fc.constant(packet(12, 0)),
  fc.constant(subscribePacket(['a/b'])),
);

describe('PacketScanner', () => {
  it('finds the ends of packets however the stream is cut', () => {
    fc.assert(
      fc.property(
        fc.array(anyPacket),
        fc.infiniteStream(fc.integer({ min: 1, max: 400 })),
        (packets, sizes) => {
          const whole = Buffer.concat(packets);
          const chunks: Buffer[] = [];
          for (let at = 0; at < whole.length; ) {
            const size = sizes.next().value as number;
            chunks.push(whole.subarray(at, at + size));
            at += size;
          }
          let end = 0;
          const ends = packets.map(({ length }) => (end += length));
          expect(scan(chunks)).toEqual({ ends, fault: undefined, partial: 0 });
        },
      ),
    );
  });

  it('counts the bytes of an unfinished packet', () => {
    expect(scan([packet(12, 0), publishPacket('a', 'xyz').subarray(0, 4)]).partial).toBe(4);
  });

  it.each([
    ['a publish at its limit', publishPacket('large', Buffer.alloc(1_000), { qos: 1 }), undefined],
    [
      'a publish above it',
      publishPacket('large', Buffer.alloc(1_001), { qos: 1 }),
      { code: 'too_large', limit: 1_000, topic: 'large' },
    ],
    ['another topic at its limit', publishPacket('small', Buffer.alloc(100), { qos: 1 }), undefined],
    [
      'another topic above it',
      publishPacket('small', Buffer.alloc(101), { qos: 0 }),
      { code: 'too_large', limit: 100, topic: 'small' },
    ],
    ['another packet at its limit', packet(8, 2, Buffer.alloc(100)), undefined],
    ['another packet above it', packet(8, 2, Buffer.alloc(101)), { code: 'too_large', limit: 100 }],
    [
      'a topic longer than its packet',
      Buffer.concat([Buffer.from([0x30]), remainingLength(200), Buffer.from([1, 0, 120])]),
      { code: 'malformed' },
    ],
    [
      'a long topic in a large packet',
      Buffer.concat([Buffer.from([0x30]), remainingLength(9_000), Buffer.from([8, 0, 120])]),
      { code: 'too_large', limit: 100 },
    ],
    [
      'a remaining length of five bytes',
      Buffer.from([0x30, 0x80, 0x80, 0x80, 0x80, 0]),
      { code: 'malformed' },
    ],
  ])('%s', (_name, bytes, fault) => {
    expect(scan([bytes]).fault).toEqual(fault);
  });

  it('tells a publish that is too large before its payload has come', () => {
    const head = publishPacket('large', Buffer.alloc(1_001)).subarray(0, 10);
    expect(scan([head]).fault).toMatchObject({ code: 'too_large' });
  });
});
