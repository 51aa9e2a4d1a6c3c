import type { Duplex } from 'node:stream';
import { PacketScanner, type ScanFault, type ScanLimits } from './packet-scanner.ts';

const CONNECT = 1;

export interface GuardOptions {
  readonly limits: ScanLimits;
  /** True from the moment the client is authenticated and its CONNACK is on its way. */
  readonly connected: () => boolean;
  /** Bytes of the packet that isn't complete yet. */
  readonly onPartial: (bytes: number) => void;
  /** The stream is destroyed already. */
  readonly onFault: (fault: ScanFault) => void;
}

/** Stands between a stream and Aedes. */
export interface PacketGuard {
  /** From now on Aedes is given nothing to read. */
  halt(): void;
}

/**
 * Puts itself in front of `stream.read`, the one door by which Aedes takes bytes, so that the bytes need no second stream:
 *
 * - an oversize packet is found by its first bytes, before it is buffered;
 * - the first packet has to be CONNECT, and what follows it stays in the stream until the client is connected. Aedes 1.2 handles a packet that
 *   arrives between CONNECT and authentication unauthenticated (moscajs/aedes#1119), and acknowledges a pipelined publish before the CONNECT.
 */
export function guardStream(stream: Duplex, options: GuardOptions): PacketGuard {
  const scanner = new PacketScanner(options.limits);
  const read = stream.read.bind(stream) as (size?: number) => Buffer | null;
  let stage: 'first' | 'waiting' | 'open' | 'halted' = 'first';
  let partial = 0;

  function fail(fault: ScanFault): null {
    stage = 'halted';
    stream.destroy();
    options.onFault(fault);
    return null;
  }

  function first(chunk: Buffer): Buffer | null {
    if (scanner.partial === 0 && (chunk[0] as number) >> 4 !== CONNECT) return fail({ code: 'malformed' });
    const end = scanner.next(chunk, 0);
    if (scanner.fault !== undefined) return fail(scanner.fault);
    if (scanner.partial !== 0) return chunk;
    stage = 'waiting';
    if (end < chunk.length) stream.unshift(chunk.subarray(end));
    return chunk.subarray(0, end);
  }

  function open(chunk: Buffer): Buffer | null {
    for (let at = 0; at < chunk.length; ) {
      at = scanner.next(chunk, at);
      if (scanner.fault !== undefined) return fail(scanner.fault);
    }
    return chunk;
  }

  stream.read = (size?: number) => {
    // A read of nothing is the stream's own: it fills its buffer.
    if (size === 0) return read(0);
    if (stage === 'waiting' && options.connected()) stage = 'open';
    if (stage === 'waiting' || stage === 'halted') return null;
    const chunk = read(size);
    if (chunk === null) return null;
    const passed = stage === 'first' ? first(chunk) : open(chunk);
    if (scanner.partial !== partial) {
      partial = scanner.partial;
      options.onPartial(partial);
    }
    return passed;
  };

  return {
    halt: () => {
      stage = 'halted';
    },
  };
}
