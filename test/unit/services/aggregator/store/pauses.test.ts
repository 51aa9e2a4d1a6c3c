import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { MIGRATIONS } from '../../../../../services/aggregator/store/migrations.ts';
import { START } from './rows-of.ts';
import { useScratch } from './scratch.ts';

const scratch = useScratch();
const PAUSE = { scope: 'all', at: START, until: START + 60_000, by: 'local' };

it('pauses are kept until they are taken out', async () => {
  const store = scratch.open();
  store.commit({ pauses: new Map([['all', PAUSE]]) });
  const again = await scratch.reopened(store);
  expect(again.pauses()).toEqual([PAUSE]);
  again.commit({ pauses: new Map([['all', { ...PAUSE, ended: START + 1 }]]) });
  expect(again.pauses()).toEqual([{ ...PAUSE, ended: START + 1 }]);
  again.commit({ pauses: new Map([['all', undefined]]) });
  expect(again.pauses()).toEqual([]);
});

it('a database from before there were any is brought up, with a copy beside it', () => {
  mkdirSync(dirname(scratch.path), { recursive: true });
  const old = new Database(scratch.path);
  old.exec(MIGRATIONS[0]?.sql ?? '');
  old.pragma('user_version = 1');
  old.prepare("INSERT INTO meta VALUES ('hub_id', 'c0ffee')").run();
  old.close();
  const store = scratch.open();
  expect([store.meta('hub_id'), store.pauses()]).toEqual(['c0ffee', []]);
  expect(existsSync(`${scratch.path}.before-2`)).toBe(true);
});
