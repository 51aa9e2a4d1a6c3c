import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { Driver, keyOf, MINUTE, SECOND } from './desk-driver.ts';

const SHOP = `codex-${keyOf('shop')}`;

describe('one wait', () => {
  it('is one message; what is told again of it is none', async () => {
    const driver = new Driver();
    await driver.session('shop', 'needs_user', { open: ['permission'] });
    expect(driver.server).toEqual([]);
    for (let refresh = 0; refresh < 50; refresh += 1) {
      await driver.waits('shop', { since: driver.now / 1000 - refresh });
      await driver.wait(SECOND);
    }
    expect(driver.server).toEqual(['4 Codex waiting: shop']);
    expect(driver.messages[0]).toMatchObject({ sequence_id: SHOP, message: 'Asks for a permission' });
  });

  it('that grows by another request is the same one', async () => {
    const driver = new Driver();
    const since = driver.now / 1000;
    await driver.waits('shop', { since });
    await driver.waits('shop', { since, open: ['permission', 'question'] });
    await driver.waits('shop', { since: since + 5, open: [{ id: `question-${since}-1`, kind: 'question' }] });
    expect(driver.server).toEqual(['4 Codex waiting: shop']);
  });

  it.each<[string, string, (driver: Driver) => Promise<void>]>([
    ['answered', 'answered', (d) => d.session('shop', 'running')],
    ['over with its session', 'gone', (d) => d.gone('shop')],
    ['interrupted', 'answered', (d) => d.session('shop', 'idle')],
    [
      'acknowledged',
      'acknowledged',
      (d) => d.session('shop', 'running', { open: [{ id: `permission-${d.now / 1000}-0`, acked: true }] }),
    ],
  ])('that is %s is cleared', async (_what, _why, ends) => {
    const driver = new Driver();
    await driver.waits('shop');
    await ends(driver);
    expect(driver.server).toEqual(['4 Codex waiting: shop', `clear ${SHOP}`]);
    expect(driver.ledger('shop')).toEqual(['sent', 'cleared']);
  });

  it('that is over before it has settled is not told, and the ledger knows why', async () => {
    const driver = new Driver();
    await driver.session('shop', 'needs_user', { open: ['permission'] });
    await driver.session('shop', 'running');
    await driver.wait(MINUTE);
    expect(driver.server).toEqual([]);
    expect(driver.ledger('shop')).toEqual(['suppressed no_alert']);
  });

  it('whose state has flickered is not told again', async () => {
    const driver = new Driver();
    await driver.waits('shop', { open: [{ id: 'permission-x' }] });
    await driver.session('shop', 'running');
    await driver.wait(MINUTE);
    await driver.waits('shop', { open: [{ id: 'permission-x' }] });
    expect(driver.server).toEqual(['4 Codex waiting: shop', `clear ${SHOP}`]);
    expect(driver.ledger('shop').at(-1)).toBe('suppressed told_before');
  });

  it('after another is told anew', async () => {
    const driver = new Driver();
    await driver.waits('shop');
    await driver.session('shop', 'running');
    await driver.wait(MINUTE);
    await driver.waits('shop', { open: ['question'] });
    expect(driver.server).toEqual(['4 Codex waiting: shop', `clear ${SHOP}`, '4 Codex waiting: shop']);
  });
});

describe('after a restart', () => {
  it('what was told is not told again, and is cleared when it is answered', async () => {
    const first = new Driver();
    const since = first.now / 1000;
    await first.waits('shop', { since });
    const driver = first.again();
    await driver.waits('shop', { since }, false);
    await driver.wait(MINUTE);
    await driver.waits('shop', { since });
    await driver.session('shop', 'running');
    expect(driver.server).toEqual([`clear ${SHOP}`]);
  });

  it('what was not brought to the server is brought', async () => {
    const first = new Driver();
    first.answer = { ok: false, fault: 'unreachable', retry: true };
    const since = first.now / 1000;
    await first.waits('shop', { since });
    const driver = first.again();
    await driver.waits('shop', { since }, false);
    await driver.wait(MINUTE);
    expect(driver.server).toEqual(['4 Codex waiting: shop']);
  });

  it('a wait that alerted while nobody listened is told, if it is young', async () => {
    const driver = new Driver().again();
    await driver.waits('shop', { since: driver.now / 1000 - 60 }, false);
    await driver.waits('old', { since: driver.now / 1000 - 3600 }, false);
    expect(driver.server).toEqual(['4 Codex waiting: shop']);
    expect(driver.ledger('old')).toEqual(['suppressed old']);
  });

  it('with nothing remembered, what waits already is no news; what comes then is', async () => {
    const driver = new Driver();
    const since = driver.now / 1000;
    await driver.waits('shop', { since }, false);
    driver.desk.begun();
    await driver.waits('shop', { since });
    expect(driver.server).toEqual([]);
    await driver.waits('api');
    expect(driver.server).toEqual(['4 Codex waiting: api']);
  });

  it('one whose session is not there any more is cleared', async () => {
    const first = new Driver();
    await first.waits('shop');
    const driver = first.again();
    expect(driver.desk.known()).toEqual([`codex ${keyOf('shop')}`]);
    await driver.wait(MINUTE);
    await driver.gone('shop');
    expect(driver.server).toEqual([`clear ${SHOP}`]);
  });
});

describe('a database that is damaged', () => {
  it('between two runs is replaced, and nothing is told twice', async () => {
    const before = new Driver();
    const since = before.now / 1000;
    await before.waits('shop', { since });
    before.records.close();
    writeFileSync(join(before.home, 'notifier.db'), 'x'.repeat(40_000));
    const driver = new Driver({ home: before.home });
    await driver.waits('shop', { since }, false);
    driver.desk.begun();
    await driver.waits('shop', { since });
    expect(driver.server).toEqual([]);
  });

  it.each(['null', '5', '"x"', '[]', '{}', '{"session":7}', 'no json', ''])(
    'in single records loses those alone: %s',
    async (body) => {
      const before = new Driver();
      await before.waits('shop');
      before.records.write();
      before.records.close();
      const database = new Database(join(before.home, 'notifier.db'));
      database.prepare('INSERT INTO told VALUES (?, ?)').run('codex x', body);
      database.prepare('INSERT INTO outbox VALUES (?, ?)').run('t x', body);
      database
        .prepare('INSERT INTO ledger (at, session, body) VALUES (1, ?, ?)')
        .run(`codex ${keyOf('shop')}`, body);
      database
        .prepare("INSERT OR REPLACE INTO meta VALUES ('last', ?), ('last_sent codex', ?)")
        .run(body, body);
      database.close();
      const driver = new Driver({ home: before.home });
      expect(driver.ledger('shop')).toEqual(['sent']);
      await driver.waits('api');
      await driver.gone('shop');
      expect(driver.server).toEqual(['4 Codex waiting: api', `clear ${SHOP}`]);
    },
  );

  it('that can not be read is as if it were empty, and the start goes on', async () => {
    const before = new Driver();
    await before.waits('shop');
    before.records.close();
    const database = new Database(join(before.home, 'notifier.db'));
    // Reading it fails in the middle, as on a disk with a fault.
    database.exec(`ALTER TABLE told RENAME TO kept;
      CREATE VIEW told AS SELECT session, body || abs(-9223372036854775807 - 1) AS body FROM kept;
      CREATE TRIGGER put INSTEAD OF INSERT ON told BEGIN SELECT 1; END;
      CREATE TRIGGER take INSTEAD OF DELETE ON told BEGIN SELECT 1; END;`);
    database.close();
    const driver = new Driver({ home: before.home });
    expect([driver.records.problem, driver.records.fresh]).toEqual(['database_unusable', true]);
    await driver.waits('api');
    expect(driver.server).toEqual(['4 Codex waiting: api']);
  });

  it('forgets what was told of with its age, in memory too', () => {
    const { records, now } = new Driver();
    const day = 24 * 60 * MINUTE;
    records.see('codex x', ['old'], now - 31 * day);
    records.see('codex x', ['young'], now - 29 * day);
    records.write();
    records.prune(now, 30);
    expect(['old', 'young'].map((id) => records.isSeen('codex x', id))).toEqual([false, true]);
  });

  it('or can not be opened stops nothing', async () => {
    const home = temporaryFolder();
    mkdirSync(join(home, 'notifier.db'));
    const driver = new Driver({ home });
    await driver.waits('shop');
    await driver.session('shop', 'running');
    expect(driver.server).toEqual(['4 Codex waiting: shop', `clear ${SHOP}`]);
    expect(driver.records.problem).toBe('database_unusable');
    expect(driver.ledger('shop')).toEqual(['sent', 'cleared']);
  });
});

describe('the user’s words', () => {
  it('snooze takes the message away and tells once more when its time is over', async () => {
    const driver = new Driver();
    const since = driver.now / 1000;
    await driver.waits('shop', { since });
    await driver.waits('shop', { since, snoozed_until: since + 600 });
    await driver.wait(5 * MINUTE);
    await driver.waits('shop', { since, snoozed_until: since + 600, open: ['permission', 'question'] });
    expect(driver.server).toEqual(['4 Codex waiting: shop', `clear ${SHOP}`]);
    await driver.wait(5 * MINUTE);
    await driver.waits('shop', { since, alerts: 2 });
    await driver.waits('shop', { since, alerts: 2 });
    expect(driver.server).toEqual(['4 Codex waiting: shop', `clear ${SHOP}`, '4 Codex waiting: shop']);
  });

  it('pause holds what has alerted and was not sent yet; resume lets it go', async () => {
    const driver = new Driver({ notify: { delay: 30 } });
    const since = driver.now / 1000;
    await driver.waits('shop', { since });
    await driver.wait(10 * SECOND);
    await driver.waits('shop', { since, lamp: 'paused' });
    await driver.wait(10 * MINUTE);
    expect(driver.server).toEqual([]);
    expect(driver.ledger('shop')).toEqual(['held paused']);
    await driver.waits('shop', { since });
    expect(driver.server).toEqual(['4 Codex waiting: shop']);
  });

  it.each<[string, Driver['answer']]>([
    ['unreachable', { ok: false, fault: 'unreachable', retry: true }],
    ['limits its visitors', { ok: false, fault: 'rate_limited', retry: true, status: 429 }],
  ])('pause holds what waits for a server that is %s', async (_what, answer) => {
    const driver = new Driver();
    driver.answer = answer;
    const since = driver.now / 1000;
    await driver.waits('shop', { since });
    await driver.wait(5 * SECOND);
    await driver.waits('shop', { since, lamp: 'paused' });
    driver.answer = { ok: true, replaces: true };
    await driver.wait(MINUTE);
    expect(driver.messages).toEqual([]);
    expect(driver.ledger('shop')).toContain('held paused');
    await driver.waits('shop', { since });
    expect([...driver.shown.values()]).toEqual(['Codex waiting: shop']);
  });

  it('pause of one that shares an undelivered message holds that one alone', async () => {
    const driver = new Driver();
    const since = driver.now / 1000;
    await driver.waits('zero');
    for (const project of ['shop', 'api']) await driver.waits(project, { since });
    driver.answer = { ok: false, fault: 'unreachable', retry: true };
    await driver.wait(10 * SECOND);
    await driver.waits('shop', { since, lamp: 'paused' });
    driver.answer = { ok: true, replaces: true };
    await driver.wait(MINUTE);
    expect([...driver.shown.values()]).toEqual(['Codex waiting: zero', 'Codex waiting: api']);
  });

  it('what began in a pause, or was muted by it, has no alert and is not told', async () => {
    const driver = new Driver();
    await driver.session('shop', 'needs_user', { lamp: 'paused', open: ['permission'] });
    await driver.session('shop', 'needs_user', { open: ['permission'] });
    await driver.wait(MINUTE);
    expect(driver.server).toEqual([]);
  });
});

describe('delay', () => {
  it('holds every message, and what is answered before is not told', async () => {
    const driver = new Driver({ notify: { delay: 30 } });
    await driver.waits('shop');
    await driver.waits('api', { provider: 'claude' });
    await driver.wait(20 * SECOND);
    await driver.session('shop', 'running');
    expect(driver.server).toEqual([]);
    await driver.wait(10 * SECOND);
    expect(driver.server).toEqual(['4 Claude waiting: api']);
    expect(driver.ledger('shop')).toEqual(['suppressed answered']);
  });
});
