import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SignalboxError } from '../../../../protocol/errors.ts';
import type { CanonicalEvent } from '../../../../protocol/events.ts';
import { createLog } from '../../../../runtime/log.ts';
import { spool } from '../../../../runtime/spool.ts';
import type { Accepted } from '../../../../services/aggregator/jobs.ts';
import { SpoolIntake, type SpoolIntakeOptions } from '../../../../services/aggregator/spool-intake.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { until } from '../../../support/until.ts';
import { type VirtualClock, virtualClock } from '../../../support/virtual-clock.ts';

const REFUSED: Accepted = { ok: false, code: 'unknown_provider', message: '' };

interface Bench {
  readonly folder: string;
  readonly clock: VirtualClock;
  readonly intake: SpoolIntake;
  /** What `accept` was called with, in order. */
  readonly accepted: CanonicalEvent[];
  readonly drained: number[];
  readonly log: string[];
  /** What the door answers; rejects when it throws. */
  answer: (event: CanonicalEvent) => Promise<Accepted> | Accepted;
}

function bench(more: Partial<SpoolIntakeOptions> = {}): Bench {
  const folder = join(temporaryFolder(), 'spool');
  const clock = virtualClock();
  const made: Bench = {
    folder,
    clock,
    accepted: [],
    drained: [],
    log: [],
    answer: (event) => ({ ok: true, event }),
    intake: new SpoolIntake({
      folder,
      clock,
      questions: true,
      log: createLog({ level: 'debug', format: 'json', stream: { write: (line) => made.log.push(line) } }),
      accept: async (provider, payload, options) => {
        const event = JSON.parse(String(payload)) as CanonicalEvent;
        expect([provider, options]).toEqual([event.provider, { live: false }]);
        made.accepted.push(event);
        return made.answer(event);
      },
      drained: () => made.drained.push(made.accepted.length),
      ...more,
    }),
  };
  onTestFinished(() => made.intake.stop());
  return made;
}

function put(folder: string, id: number, more: Partial<CanonicalEvent> = {}): void {
  const event: CanonicalEvent = {
    v: 1,
    event: 'Stop',
    provider: 'claude',
    session_id: 's',
    id: `e${id}`,
    ...more,
  };
  spool(folder, JSON.stringify(event), { at: id * 1000, now: 0 });
}

const ids = ({ accepted }: Bench): number[] => accepted.map(({ id = '' }) => Number(id.slice(1)));

describe('taking over the spool', () => {
  it('takes everything at the start, in order, before the start is over, and tells once', async () => {
    const made = bench();
    for (const id of [3, 1, 2, 400, 300]) put(made.folder, id);
    await made.intake.start();
    expect(ids(made)).toEqual([1, 2, 3, 300, 400]);
    expect(made.drained).toEqual([5]);
    expect(readdirSync(made.folder)).toEqual([]);
  });

  it('makes the folder, and tells that nothing waits', async () => {
    const made = bench();
    await made.intake.start();
    expect([existsSync(made.folder), made.drained]).toEqual([true, [0]]);
  });

  it('takes what appears later', async () => {
    const made = bench();
    await made.intake.start();
    put(made.folder, 1);
    await until(() => made.drained.length === 2);
    put(made.folder, 2);
    await until(() => made.drained.length === 3);
    expect([ids(made), made.drained]).toEqual([
      [1, 2],
      [0, 1, 2],
    ]);
  });

  it('looks by itself where the system tells nothing', async () => {
    const made = bench();
    await made.intake.start();
    // With the folder goes the watch.
    rmSync(made.folder, { recursive: true });
    await until(() => made.clock.pending() > 0);
    put(made.folder, 1);
    await until(() => {
      made.clock.advance(10_000);
      return made.accepted.length === 1;
    });
    await until(() => readdirSync(made.folder).length === 0);
  });

  it('takes many in order', async () => {
    const made = bench();
    for (let id = 1; id <= 700; id += 1) put(made.folder, id);
    await made.intake.start();
    expect(ids(made)).toEqual(Array.from({ length: 700 }, (_, index) => index + 1));
  });

  it('removes what was refused too', async () => {
    const made = bench();
    made.answer = () => REFUSED;
    put(made.folder, 1);
    await made.intake.start();
    expect(readdirSync(made.folder)).toEqual([]);
  });

  it('keeps what could not be committed, and takes it the next time', async () => {
    const made = bench();
    let broken = true;
    made.answer = (event) => {
      if (broken && event.id === 'e2') throw new SignalboxError('not_committed', { reason: 'disk full' });
      return { ok: true, event };
    };
    for (const id of [1, 2, 3]) put(made.folder, id);
    await made.intake.start();
    expect(readdirSync(made.folder)).toHaveLength(1);
    expect(made.drained).toEqual([]);
    broken = false;
    await until(() => made.clock.pending() > 0);
    made.clock.advance(10_000);
    await until(() => made.drained.length === 1);
    expect(ids(made)).toEqual([1, 2, 3, 2]);
    expect(readdirSync(made.folder)).toEqual([]);
  });

  it('removes a file only when it is dealt with', async () => {
    const made = bench();
    let commit: () => void = () => undefined;
    made.answer = (event) => new Promise((resolve) => (commit = () => resolve({ ok: true, event })));
    put(made.folder, 1);
    const started = made.intake.start();
    await until(() => made.accepted.length === 1);
    expect(readdirSync(made.folder)).toHaveLength(1);
    commit();
    await started;
    expect(readdirSync(made.folder)).toEqual([]);
  });

  it('lets live events in after half a second, and goes on', async () => {
    const made = bench();
    let commit: () => void = () => undefined;
    made.answer = (event) => new Promise((resolve) => (commit = () => resolve({ ok: true, event })));
    put(made.folder, 1);
    const started = made.intake.start();
    await until(() => made.accepted.length === 1);
    made.clock.advance(500);
    await started;
    expect(made.drained).toEqual([]);
    commit();
    await until(() => made.drained.length === 1);
  });

  it('ends with what is under way', async () => {
    const made = bench();
    let commit: () => void = () => undefined;
    made.answer = (event) => new Promise((resolve) => (commit = () => resolve({ ok: true, event })));
    put(made.folder, 1);
    const started = made.intake.start();
    await until(() => made.accepted.length === 1);
    const stopped = made.intake.stop();
    commit();
    await Promise.all([started, stopped]);
    expect([readdirSync(made.folder), made.drained, made.clock.pending()]).toEqual([[], [], 0]);
  });

  it('sets a damaged file aside, and takes what comes after it', async () => {
    const made = bench();
    mkdirSync(made.folder);
    const bad = [
      '',
      '{"v":1,"event":"Sto',
      '[]',
      '{"v":1,"event":"Stop","provider":"claude","prompt":"secret"}',
    ];
    const names = bad.map((_, index) => `000000000000000${index}-aaaaaaaaaa.1.json`);
    for (const [index, name] of names.entries()) writeFileSync(join(made.folder, name), bad[index] ?? '');
    const folder = '0000000000000008-aaaaaaaaaa.1.json';
    mkdirSync(join(made.folder, folder));
    const link = '0000000000000009-aaaaaaaaaa.1.json';
    symlinkSync('/dev/zero', join(made.folder, link));
    put(made.folder, 1);
    await made.intake.start();
    expect(ids(made)).toEqual([1]);
    expect(readdirSync(made.folder).sort()).toEqual([...names, folder, link].map((name) => `${name}.bad`));
    expect(made.log.join('')).not.toContain('secret');
  });

  it('keeps a few damaged files only', async () => {
    const made = bench();
    mkdirSync(made.folder);
    for (let at = 100; at < 150; at += 1)
      writeFileSync(join(made.folder, `0000000000000${at}-aaaaaaaaaa.1.json`), '');
    await made.intake.start();
    const kept = readdirSync(made.folder).sort();
    expect([kept.length, kept.at(-1)]).toEqual([20, '0000000000000149-aaaaaaaaaa.1.json.bad']);
  });

  it('leaves alone what is no event of a sender', async () => {
    const made = bench();
    mkdirSync(made.folder);
    const names = ['draft-0000000000000001-aaaaaaaaaa', 'notes.txt'];
    for (const name of names) writeFileSync(join(made.folder, name), '{}');
    await made.intake.start();
    expect(readdirSync(made.folder).sort()).toEqual(names);
  });

  it('tells how many were dropped', async () => {
    const made = bench();
    mkdirSync(made.folder);
    writeFileSync(join(made.folder, 'dropped'), '.......');
    await made.intake.start();
    expect(made.log.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ msg: expect.stringContaining('dropped'), count: 7 }),
    );
    expect(readdirSync(made.folder)).toEqual([]);
  });

  it('leaves questions out where settings want none', async () => {
    const made = bench({ questions: false });
    put(made.folder, 1, { question: true });
    await made.intake.start();
    expect(made.accepted).toEqual([{ v: 1, event: 'Stop', provider: 'claude', session_id: 's', id: 'e1' }]);
  });
});
