import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../../../../runtime/log.ts';
import { openStore } from '../../../../../services/aggregator/store/hub-store.ts';
import { keyOf, scratchFolder } from './rows-of.ts';

const CHILD = fileURLToPath(new URL('writer-child.ts', import.meta.url));
const ROOT = fileURLToPath(new URL('../../../../..', import.meta.url));

let scratch: ReturnType<typeof scratchFolder>;
beforeEach(() => {
  scratch = scratchFolder();
});
afterEach(() => scratch.remove());

interface Written {
  readonly numbers: number[];
  readonly words: string[];
}

/** Runs the writer until it ends by itself or has printed `killAfter` lines, then kills it. @param limitKiB longest file it may write */
async function write(options: {
  synchronous: string;
  first: number;
  killAfter?: number;
  limitKiB?: number;
}): Promise<Written> {
  const { synchronous, first, killAfter = Infinity, limitKiB } = options;
  const command = [process.execPath, '--import', 'tsx', CHILD, scratch.path, synchronous, String(first)];
  const limited = ['bash', '-c', `trap '' XFSZ; ulimit -f ${limitKiB}; exec "$@"`, 'bash', ...command];
  const [program = '', ...parameters] = limitKiB === undefined ? command : limited;
  const child = spawn(program, parameters, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    if (lines.length === killAfter) child.kill('SIGKILL');
  }
  const numbers = lines.map(Number);
  return {
    numbers: numbers.filter((number) => !Number.isNaN(number)),
    words: lines.filter((_, index) => Number.isNaN(numbers[index])),
  };
}

/** What a hub finds when it starts again. */
async function found(): Promise<{ recovered: unknown; numbers: Set<number>; newest: number }> {
  const log = createLog({ level: 'silent', format: 'json', stream: { write: () => undefined } });
  const store = openStore({ path: scratch.path, synchronous: 'normal', log, now: Date.now });
  const events = store.eventsOf('claude', keyOf(1), 0, 1_000_000);
  const numbers = events.map(({ body }) => (JSON.parse(body) as { number: number }).number);
  const newest = store.sessions()[0]?.updated_at ?? 0;
  await store.close();
  return { recovered: store.recovered, numbers: new Set(numbers), newest };
}

describe('a process that is killed', () => {
  it.each([
    ['normal', 3],
    ['full', 2],
  ] as const)(
    'has kept everything that it said it had (synchronous = %s, %i rounds)',
    async (synchronous, rounds) => {
      const told = new Set<number>();
      for (let round = 0; round < rounds; round += 1) {
        const killAfter = 20 + Math.floor(Math.random() * 1500);
        const { numbers } = await write({ synchronous, first: round * 1_000_000, killAfter });
        for (const number of numbers) told.add(number);
        const after = await found();
        expect(after.recovered).toBeUndefined();
        expect([...told].filter((number) => !after.numbers.has(number))).toEqual([]);
        // Events and the record that they made were written together.
        expect(after.newest).toBe(Math.max(...after.numbers));
      }
      expect(told.size).toBeGreaterThan(40);
    },
    60_000,
  );
});

describe('a disk that takes no more', () => {
  it('refuses the commit, keeps what was kept, and the process lives on', async () => {
    const { numbers, words } = await write({ synchronous: 'normal', first: 0, limitKiB: 600 });
    expect(words).toEqual(['failed not_committed', 'closed']);
    expect(numbers.length).toBeGreaterThan(10);
    const after = await found();
    expect(after.recovered).toBeUndefined();
    expect(numbers.filter((number) => !after.numbers.has(number))).toEqual([]);
  }, 60_000);
});
