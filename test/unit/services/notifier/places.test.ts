import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { NtfyOutcome } from '../../../../services/notifier/ntfy-client.ts';
import { Driver, keyOf, MINUTE, SECOND } from './desk-driver.ts';

// The property plays many runs.
vi.setConfig({ testTimeout: 120_000 });

const GOOD: NtfyOutcome = { ok: true, replaces: true };
const OLD: NtfyOutcome = { ok: true, replaces: false };
const LIMIT: NtfyOutcome = { ok: false, fault: 'rate_limited', retry: true, status: 429 };
const DOWN: NtfyOutcome = { ok: false, fault: 'unreachable', retry: true };
const notify = { escalate_after: 10 };
const place = (project: string): string => `codex-${keyOf(project)}`;

/** `lead` and `other` are told of in one message, since `zero` was told just before. */
async function shared(driver: Driver, answer: NtfyOutcome = GOOD): Promise<void> {
  await driver.waits('zero');
  await driver.waits('lead');
  await driver.waits('other');
  driver.answer = answer;
  await driver.wait(10 * SECOND);
  expect(driver.server.filter((words) => words.startsWith('4'))).toHaveLength(2);
}

describe('a message that tells of several', () => {
  it('when the one that it names is answered names the next, silently, and goes with the last', async () => {
    const driver = new Driver();
    await shared(driver);
    await driver.session('lead', 'running');
    expect(driver.server.slice(2)).toEqual(['2 Codex waiting: other', `clear ${place('lead')}`]);
    expect(driver.ledger('lead').at(-1)).toBe('cleared');
    await driver.session('other', 'running');
    expect(driver.server.slice(4)).toEqual([`clear ${place('other')}`]);
  });

  it('stays as it is when another of it is answered', async () => {
    const driver = new Driver();
    await shared(driver);
    await driver.session('other', 'running');
    expect(driver.server).toHaveLength(2);
  });

  it.each([
    ['the one that it names first', ['lead', 'other']],
    ['the one that it names last', ['other', 'lead']],
  ])('leaves nothing at the server when all is answered, %s', async (_what, order) => {
    const driver = new Driver({ notify });
    await shared(driver);
    expect([...driver.later.values()].map(({ title }) => title)).toContain('Codex still waiting: lead');
    for (const project of ['zero', ...order]) await driver.session(project, 'running');
    expect([driver.later.size, driver.shown.size]).toEqual([0, 0]);
  });

  it('calls a second time for whoever is left, at the time at which it would have', async () => {
    const driver = new Driver({ notify });
    await shared(driver);
    const [due] = [...driver.later.values()].map((each) => each.due).slice(-1);
    await driver.wait(5 * MINUTE);
    for (const project of ['zero', 'lead']) await driver.session(project, 'running');
    expect([...driver.later]).toEqual([[place('other'), { title: 'Codex still waiting: other', due }]]);
    await driver.wait(5 * MINUTE);
    await driver.session('other', 'running');
    expect([driver.later.size, driver.shown.size]).toEqual([0, 0]);
  });

  it('calls a second time once: not again for the next one that is named', async () => {
    const driver = new Driver({ notify });
    await shared(driver);
    await driver.wait(11 * MINUTE);
    await driver.session('lead', 'running');
    expect([...driver.shown.values()]).toContain('Codex waiting: other');
    expect([...driver.later.values()]).toEqual([]);
  });

  it.each([
    ['that has ended', true, '5 Codex still waiting: other'],
    ['that still waits', false, '5 Codex still waiting: lead'],
  ])('at an old server calls a second time from here, with a first one %s', async (_what, ends, words) => {
    const driver = new Driver({ notify });
    driver.answer = OLD;
    await shared(driver, OLD);
    await driver.session('zero', 'running');
    if (ends) await driver.session('lead', 'running');
    await driver.wait(60 * MINUTE);
    expect(driver.server.slice(2)).toEqual([words]);
  });

  it.each([
    ['lead', 'unreachable', DOWN, ['zero', 'other']],
    ['lead', 'limiting', LIMIT, ['zero', 'other']],
    ['other', 'unreachable', DOWN, ['zero', 'lead']],
    ['other', 'limiting', LIMIT, ['zero', 'lead']],
  ])(
    'and is not delivered yet is decided anew when %s is answered: %s',
    async (answered, _what, answer, left) => {
      const driver = new Driver();
      await driver.waits('zero');
      await driver.waits('lead');
      await driver.waits('other');
      driver.answer = answer;
      await driver.wait(20 * SECOND);
      await driver.session(answered, 'running');
      driver.answer = GOOD;
      await driver.wait(5 * MINUTE);
      expect([...driver.shown.values()]).toEqual(left.map((project) => `Codex waiting: ${project}`));
      expect(driver.messages.at(-1)).toMatchObject({
        priority: 4,
        message: 'Asks for a permission\n2 wait in all',
      });
    },
  );

  it('and of which the first waits again, and is answered again, tells of the other alone', async () => {
    const driver = new Driver();
    await shared(driver);
    await driver.session('lead', 'running');
    await driver.wait(MINUTE);
    await driver.waits('lead', { open: ['question'] });
    expect([...driver.shown.keys()].toSorted()).toEqual(['lead', 'other', 'zero'].map(place));
    await driver.session('lead', 'running');
    expect([...driver.shown.values()]).toEqual(['Codex waiting: zero', 'Codex waiting: other']);
  });

  it('over a restart is named anew once the next is heard of', async () => {
    const first = new Driver({ notify });
    const since = first.now / 1000;
    await first.waits('zero');
    for (const project of ['lead', 'other']) await first.waits(project, { since });
    await first.wait(10 * SECOND);
    const driver = first.again({ notify });
    await driver.gone('lead');
    expect(driver.server).toEqual([`cancel ${place('lead')}`, `clear ${place('lead')}`]);
    await driver.waits('other', { since }, false);
    expect([...driver.shown.values()]).toEqual(['Codex waiting: other']);
    expect([...driver.later.values()].map(({ title }) => title)).toEqual(['Codex still waiting: other']);
  });
});

type Step = readonly [what: 'waits' | 'ends' | 'pauses' | 'time' | 'server', which: number];

describe('whatever happens', () => {
  it('in the end the phone shows who waits and nobody else, and when nobody waits nothing is to come', async () => {
    const step = fc.tuple(fc.constantFrom('waits', 'waits', 'ends', 'pauses', 'time', 'server'), fc.nat(9));
    await fc.assert(
      fc.asyncProperty(fc.array(step as fc.Arbitrary<Step>, { maxLength: 30 }), async (steps) => {
        const driver = new Driver({ notify });
        const waiting = await play(driver, steps);
        driver.answer = GOOD;
        await driver.wait(6 * MINUTE);
        const names = waiting.map((project) => `: ${project}`);
        for (const title of [
          ...driver.shown.values(),
          ...[...driver.later.values()].map((each) => each.title),
        ])
          expect(names.some((name) => title.endsWith(name))).toBe(true);
        for (const project of PROJECTS) await driver.session(project, 'running');
        await driver.wait(6 * MINUTE);
        expect([driver.shown.size, driver.later.size, driver.records.outbox.size]).toEqual([0, 0, 0]);
        driver.records.close();
      }),
      { numRuns: 30 },
    );
  });
});

const PROJECTS = ['a', 'b', 'c', 'd'] as const;
const ANSWERS = [GOOD, DOWN, LIMIT, { ok: false, fault: 'server_error', retry: true, status: 502 }] as const;
const TIMES = [SECOND, 4 * SECOND, 10 * SECOND, MINUTE, 6 * MINUTE] as const;

/** @returns who waits at the end */
async function play(driver: Driver, steps: readonly Step[]): Promise<string[]> {
  const waits = new Map<
    string,
    { readonly since: number; readonly open: readonly { readonly id: string }[] }
  >();
  for (const [number, [what, which]] of steps.entries()) {
    const project = PROJECTS[which % PROJECTS.length] as string;
    const known = waits.get(project);
    if (what === 'waits') {
      const given = known ?? { since: Math.floor(driver.now / 1000), open: [{ id: `request-${number}` }] };
      waits.set(project, given);
      await driver.waits(project, given);
    } else if (what === 'ends') {
      waits.delete(project);
      await driver.session(project, 'running');
    } else if (what === 'pauses' && known !== undefined) {
      await driver.waits(project, { ...known, lamp: 'paused' });
    } else if (what === 'time') {
      await driver.wait(TIMES[which % TIMES.length] ?? SECOND);
    } else if (what === 'server') {
      driver.answer = ANSWERS[which % ANSWERS.length] ?? GOOD;
      // A refusal says that nothing has arrived.
      driver.arrives = which > 4 && driver.answer !== LIMIT;
    }
  }
  return [...waits.keys()];
}
