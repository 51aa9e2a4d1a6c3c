import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { CanonicalEvent } from '../../../../protocol/events.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { until } from '../../../support/until.ts';
import { runningSession, startWatching } from '../../../support/watching.ts';

vi.setConfig({ testTimeout: 60_000 });

const only = ['codex_rollout'] as const;
const MAIN = '01a22bf2-94d2-7cd0-87f3-263ae6c10796';
const REVIEW = '01a22bf2-94fa-7ac2-b200-c01bec05cce7';

function line(type: string, payload: object = {}, ago = 0): string {
  const timestamp = new Date(Date.now() - ago).toISOString();
  return `${JSON.stringify({ timestamp, type: 'event_msg', payload: { type, ...payload } })}\n`;
}

function gist({ event, session_id, prompt_id, error, reviewer }: CanonicalEvent): string {
  return [event, session_id === MAIN ? 'main' : session_id, prompt_id, error ?? reviewer]
    .filter(Boolean)
    .join(' ');
}

async function rollouts(text = line('task_started', { turn_id: 't1' })) {
  const home = temporaryFolder();
  const day = join(home, '.codex', 'sessions', '2026', '11', '30');
  mkdirSync(day, { recursive: true });
  const pathOf = (thread: string): string => join(day, `rollout-2026-11-30T10-14-07-${thread}.jsonl`);
  writeFileSync(pathOf(MAIN), text);
  const watching = await startWatching({ only, home });
  const name = (path = pathOf(MAIN), id = MAIN): void =>
    watching.sources.changed(
      new Map([
        [
          id,
          runningSession(
            id,
            { provider: 'codex', transcript: path, sent_at: Date.now() },
            { last_hook_at: Date.now() },
          ),
        ],
      ]),
    );
  return {
    ...watching,
    day,
    pathOf,
    name,
    add: (more: string, thread = MAIN) => appendFileSync(pathOf(thread), more),
    told: async (count: number) => {
      await until(() => watching.events.length >= count);
      return watching.events.map(gist);
    },
  };
}

it('an interrupt, an error of the server and the end of a turn are told, with ids that stay', async () => {
  const { name, add, told, events, state } = await rollouts();
  name();
  add(line('turn_aborted', { turn_id: 't1', reason: 'interrupted' }));
  await told(1);
  add(
    line('task_started', { turn_id: 't2' }) +
      line('task_complete', { turn_id: 't2', error: { codex_error_info: 'usage_limit_exceeded' } }),
  );
  expect(await told(2)).toEqual(['Interrupt main t1', 'StopFailure main t2 usage_limit_exceeded']);
  expect(new Set(events.map(({ id }) => id)).size).toBe(2);
  expect(events[0]).toMatchObject({ provider: 'codex', notify: true });
  expect(state('codex_rollout')).toMatchObject({ on: true, watched: 1 });
});

it('of what was there before a hook named it, only what is young counts', async () => {
  const old = line(
    'task_complete',
    { turn_id: 't0', error: { codex_error_info: 'server_overloaded' } },
    3_600_000,
  );
  const { name, told } = await rollouts(old + line('task_complete', { turn_id: 't1' }, 1000));
  name();
  expect(await told(1)).toEqual(['Stop main t1']);
});

it('nobody’s rollout is read before a hook has named it', async () => {
  const { name, add, told, pathOf } = await rollouts();
  writeFileSync(pathOf(REVIEW), line('turn_aborted', { turn_id: 'x', reason: 'interrupted' }));
  name();
  add(line('turn_aborted', { turn_id: 't1', reason: 'interrupted' }));
  expect(await told(1)).toEqual(['Interrupt main t1']);
});

it('a request that a model reviews is told of the thread whose turn has asked, whichever is read first', async () => {
  const { name, add, told, pathOf } = await rollouts('');
  name();
  const started = line('task_started', {
    turn_id: 'r1',
    turn_attribution: { turn_trigger: 'guardian_review', parent_turn_id: 't1' },
  });
  writeFileSync(pathOf(REVIEW), started + line('task_complete', { turn_id: 'r1' }));
  add(line('task_started', { turn_id: 't1' }));
  expect(await told(1)).toEqual(['Other main t1 guardian_review']);
  add(line('task_complete', { turn_id: 't1' }));
  expect(await told(2)).toEqual(['Other main t1 guardian_review', 'Stop main t1']);
});

it('a path that is not Codex’ own, a link, and another thread’s file are left alone', async () => {
  const { name, told, add, pathOf, home, day } = await rollouts();
  const abort = line('turn_aborted', { turn_id: 'bad', reason: 'interrupted' });
  const away = join(home, `rollout-2026-11-30T10-14-07-${REVIEW}.jsonl`);
  writeFileSync(away, abort);
  name(away, REVIEW);
  name(join(day, '..', '..', '..', '..', '..', `rollout-2026-11-30T10-14-07-${REVIEW}.jsonl`), REVIEW);
  symlinkSync(away, pathOf(REVIEW));
  name(pathOf(REVIEW), REVIEW);
  name(pathOf(MAIN), 'another');
  name();
  add(line('turn_aborted', { turn_id: 't1', reason: 'interrupted' }));
  expect(await told(1)).toEqual(['Interrupt main t1']);
});

it('garbage, a line of many megabytes and a file that is made again stop nothing; their text goes nowhere', async () => {
  const { name, add, told, pathOf, log } = await rollouts();
  name();
  add('{"timestamp": nonsense\n\u0000\n');
  add(line('agent_message', { message: 'the canary sings '.repeat(200_000) }));
  add(line('turn_aborted', { turn_id: 't1', reason: 'the canary sings' }));
  await told(1);
  rmSync(pathOf(MAIN));
  writeFileSync(pathOf(MAIN), line('turn_aborted', { turn_id: 't2', reason: 'interrupted' }));
  expect(await told(2)).toEqual(['Interrupt main t1', 'Interrupt main t2']);
  expect(log()).not.toContain('canary');
});

it('without Codex it is off', async () => {
  const { state } = await startWatching({ only });
  expect(state('codex_rollout')).toMatchObject({ on: false, why: 'Codex keeps no rollouts here' });
});
