import { writeSync } from 'node:fs';
import { SignalboxError } from '../../../../../protocol/errors.ts';
import { createLog } from '../../../../../runtime/log.ts';
import { GroupCommit } from '../../../../../services/aggregator/group-commit.ts';
import { openStore } from '../../../../../services/aggregator/store/hub-store.ts';
import { eventRow, nameOf, sessionRecord } from './rows-of.ts';

/**
 * A process that commits events as fast as it can and prints the number of each one whose promise has resolved, until it is killed or a commit fails.
 * Arguments: path, synchronous, first number.
 */
const [path = '', synchronous = 'normal', first = '0'] = process.argv.slice(2);
const log = createLog({ level: 'silent', format: 'json', stream: { write: () => undefined } });
const store = openStore({
  path,
  synchronous: synchronous === 'full' ? 'full' : 'normal',
  log,
  now: Date.now,
});
const group = new GroupCommit<number, number>({
  work(numbers) {
    const events = numbers.map((number) =>
      eventRow(number, { body: JSON.stringify({ number, padding: 'x'.repeat(500) }) }),
    );
    const session = sessionRecord(1, { updated_at: Math.max(...numbers) });
    store.commit({ events, sessions: new Map([[nameOf(session), session]]) });
    return numbers;
  },
});

/** Writes before it returns, so that a kill loses no line: a full pipe is tried again. */
function print(line: string): void {
  for (;;) {
    try {
      writeSync(1, `${line}\n`);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
}

let next = Number(first);
let failure: string | undefined;

/** One of several senders: each waits for its event to be kept before it sends another. */
async function send(): Promise<void> {
  while (failure === undefined) {
    try {
      next += 1;
      print(String(await group.submit(next)));
    } catch (error) {
      failure = error instanceof SignalboxError ? error.code : String(error);
    }
  }
}

await Promise.all(Array.from({ length: 7 }, send));
print(`failed ${failure}`);
await store.close();
print('closed');
