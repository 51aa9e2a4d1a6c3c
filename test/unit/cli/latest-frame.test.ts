import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { latestFrame } from '../../../cli/status/bar/latest-frame.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

/** A pipe whose reader reads when it is told to. */
function pipe() {
  const read: string[] = [];
  let release: (() => void) | undefined;
  const stream = new Writable({
    highWaterMark: 1,
    write(chunk: Buffer, _encoding, done) {
      read.push(chunk.toString());
      release = done;
    },
  });
  return {
    stream,
    read,
    next(): void {
      const done = release;
      release = undefined;
      done?.();
    },
  };
}

describe('the newest frame', () => {
  it('goes out at once, and of those that come while nobody reads only the last', async () => {
    const clock = virtualClock();
    const { stream, read, next } = pipe();
    const output = latestFrame(stream, clock);
    output.show('first\n');
    expect(read).toEqual(['first\n']);
    for (let count = 0; count < 10_000; count += 1) output.show(`frame ${count}\n`);
    expect(stream.writableLength).toBe('first\n'.length);
    next();
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(100);
    expect(read).toEqual(['first\n', 'frame 9999\n']);
  });

  it('is not written twice, also when another one came and went meanwhile', async () => {
    const clock = virtualClock();
    const { stream, read, next } = pipe();
    const output = latestFrame(stream, clock);
    output.show('a\n');
    output.show('a\n');
    output.show('b\n');
    output.show('a\n');
    next();
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(1_000);
    expect(read).toEqual(['a\n']);
    output.show('b\n');
    expect(read).toEqual(['a\n', 'b\n']);
  });

  it('comes in a line of its own time: frames that follow each other are kept apart', async () => {
    const clock = virtualClock();
    const { stream, read, next } = pipe();
    const output = latestFrame(stream, clock);
    output.show('a\n');
    next();
    await new Promise((resolve) => setImmediate(resolve));
    output.show('b\n');
    clock.advance(99);
    expect(read).toEqual(['a\n']);
    clock.advance(1);
    expect(read).toEqual(['a\n', 'b\n']);
  });

  it('does not wait for a clock that was set back', async () => {
    const clock = virtualClock();
    const { stream, read, next } = pipe();
    const output = latestFrame(stream, clock);
    output.show('a\n');
    next();
    await new Promise((resolve) => setImmediate(resolve));
    output.show('b\n');
    clock.jump(-3_600_000);
    expect(read).toEqual(['a\n', 'b\n']);
  });
});
