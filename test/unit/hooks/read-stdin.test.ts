import { PassThrough, Readable } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { readStdin } from '../../../hooks/sender/read-stdin.ts';

const LIMITS = { within: 10_000, gap: 10_000, atMost: 20_000, longest: 100 };
const textOf = ({ chunks }: { chunks: readonly Buffer[] }): string => Buffer.concat(chunks).toString();

it('reads everything up to the end', async () => {
  const input = await readStdin(Readable.from([Buffer.from('{"a"'), Buffer.from(':1}')]), LIMITS);
  expect([textOf(input), input.bytes, input.tooLarge]).toEqual(['{"a":1}', 7, false]);
});

it('takes what has come when the end does not', async () => {
  const stream = new PassThrough();
  stream.write('{"a":1}');
  const input = await readStdin(stream, { ...LIMITS, within: 20, gap: 5 });
  expect([textOf(input), input.tooLarge]).toEqual(['{"a":1}', false]);
});

it('takes nothing for all there is when nothing comes', async () => {
  const input = await readStdin(new PassThrough(), { ...LIMITS, within: 0, gap: 1, atMost: 20 });
  expect([input.bytes, input.tooLarge]).toEqual([0, false]);
});

it('waits for an agent that has not begun yet', async () => {
  const stream = new PassThrough();
  const reading = readStdin(stream, { ...LIMITS, within: 0, gap: 1 });
  await new Promise((resolve) => setTimeout(resolve, 20));
  stream.write('{"a":1}');
  expect(textOf(await reading)).toBe('{"a":1}');
});

it('goes on while there is half an object', async () => {
  const stream = new PassThrough();
  const reading = readStdin(stream, { ...LIMITS, within: 0, gap: 1 });
  stream.write('{"a"');
  await new Promise((resolve) => setTimeout(resolve, 20));
  stream.write(':1}');
  stream.end();
  expect(textOf(await reading)).toBe('{"a":1}');
});

it('ends some time, also where something comes for ever', async () => {
  const stream = new PassThrough();
  const drip = setInterval(() => stream.write('x'), 1);
  onTestFinished(() => clearInterval(drip));
  const input = await readStdin(stream, { within: 0, gap: 1, atMost: 40, longest: 1_000_000 });
  expect(input.tooLarge).toBe(false);
});

it('stops at the limit, however much is there', async () => {
  function* endless(): Generator<Buffer> {
    for (;;) yield Buffer.alloc(30, 'x');
  }
  const input = await readStdin(Readable.from(endless()), LIMITS);
  expect([input.bytes, input.tooLarge]).toEqual([120, true]);
});

it('takes a stream that fails for an empty one', async () => {
  const stream = new Readable({
    read() {
      this.destroy(new Error('EISDIR'));
    },
  });
  expect(await readStdin(stream, LIMITS)).toEqual({ chunks: [], bytes: 0, tooLarge: false });
});
