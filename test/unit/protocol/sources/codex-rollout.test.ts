import { describe, expect, it } from 'vitest';
import { readRolloutLine, type RolloutState, threadOf } from '../../../../protocol/sources/codex-rollout.ts';
import { recordedRollout } from '../../../../protocol/sources/recorded-sources.ts';

const AT = '2026-11-30T10:00:00.250Z';
const MOMENT = Date.parse(AT);
const THREAD = '01a22bf2-94d2-7cd0-87f3-263ae6c10796';
const REVIEWING = '01a22bf2-94fa-7ac2-b200-c01bec05cce7';

function line(payload: object, type = 'event_msg', file?: string): string {
  return JSON.stringify({ ...(file !== undefined && { _file: file }), timestamp: AT, type, payload });
}

/** What a turn's lines tell, one after the other. */
function read(...lines: readonly string[]): object[] {
  let state: RolloutState = {};
  const events: object[] = [];
  for (const each of lines) {
    const told = readRolloutLine(each, THREAD, state);
    state = told.state;
    if (told.event !== undefined) events.push(told.event);
  }
  return events;
}

const started = (more: object = {}): string => line({ type: 'task_started', turn_id: 't1', ...more });
const complete = (more: object = {}): string =>
  line({ type: 'task_complete', turn_id: 't1', last_agent_message: 'Done.', ...more });

describe('a Codex rollout', () => {
  it('tells that a turn was broken off', () => {
    const [event] = read(started(), line({ type: 'turn_aborted', turn_id: 't1', reason: 'interrupted' }));
    expect(event).toMatchObject({
      event: 'Interrupt',
      provider: 'codex',
      session_id: THREAD,
      prompt_id: 't1',
      reason: 'interrupted',
      sent_at: MOMENT,
    });
  });

  it('tells that a turn is done', () => {
    expect(read(started(), complete())).toEqual([
      expect.objectContaining({ event: 'Stop', prompt_id: 't1' }),
    ]);
    expect(read(started(), complete())[0]).not.toHaveProperty('plan');
  });

  it.each([
    ['usage_limit_exceeded', 'usage_limit_exceeded'],
    [{ http_connection_failed: { http_status_code: 503 } }, 'http_connection_failed'],
    [{}, 'unknown'],
    [undefined, 'unknown'],
  ])('tells an error by its kind: %j is %s', (codex_error_info, error) => {
    const [event] = read(complete({ error: { message: 'secret', codex_error_info } }));
    expect(event).toMatchObject({ event: 'StopFailure', error });
    expect(JSON.stringify(event)).not.toContain('secret');
  });

  it('calls an error without details unknown', () => {
    expect(read(complete({ error: 'no object' }))).toEqual([expect.objectContaining({ error: 'unknown' })]);
  });

  it.each([
    [
      'a plan was completed in it',
      [line({ type: 'item_completed', turn_id: 't1', item: { type: 'Plan' } }), complete()],
    ],
    [
      'it began in plan mode and ends without a message',
      [started({ collaboration_mode_kind: 'plan' }), complete({ last_agent_message: null })],
    ],
  ])('waits for a plan’s approval when %s', (_, lines) => {
    expect(read(...lines)).toEqual([expect.objectContaining({ event: 'Stop', plan: true })]);
  });

  it.each([
    ['other items', line({ type: 'item_completed', turn_id: 't1', item: { type: 'Message' } })],
    ['an item of no turn', line({ type: 'item_completed', item: { type: 'Plan' } })],
    ['plan mode without a turn', line({ type: 'task_started', collaboration_mode_kind: 'plan' })],
    ['token counts', line({ type: 'token_count' })],
    ['other kinds of lines', line({ type: 'turn_aborted' }, 'response_item')],
    ['a context that names no reviewer', line({ turn_id: 't1' }, 'turn_context')],
    ['half a line', started().slice(0, -4)],
    ['a line without a time', JSON.stringify({ type: 'event_msg', payload: { type: 'turn_aborted' } })],
    [
      'a time that is no text',
      JSON.stringify({ timestamp: { toString: 1 }, type: 'event_msg', payload: { type: 'turn_aborted' } }),
    ],
    ['a line that is no object', '42'],
    ['a payload that is none', JSON.stringify({ timestamp: AT, type: 'event_msg', payload: null })],
  ])('tells nothing by %s', (_, text) => {
    expect(read(text)).toEqual([]);
  });

  it('tells who reviews requests', () => {
    const context = line({ turn_id: 't1', approvals_reviewer: 'auto_review' }, 'turn_context');
    expect(read(context)).toEqual([expect.objectContaining({ event: 'Other', reviewer: 'auto_review' })]);
  });

  it('knows its thread by its name', () => {
    expect(threadOf(`rollout-2026-11-30T10-00-00-${THREAD}.jsonl`)).toBe(THREAD);
    expect(threadOf('rollout.jsonl')).toBeUndefined();
  });
});

describe('recorded rollouts', () => {
  const review = (parent: string): string =>
    line(
      {
        type: 'task_started',
        turn_id: 'r1',
        turn_attribution: { turn_trigger: 'guardian_review', parent_turn_id: parent },
      },
      'event_msg',
      `rollout-${REVIEWING}.jsonl`,
    );
  const asking = line({ type: 'task_started', turn_id: 't1' }, 'event_msg', `rollout-${THREAD}.jsonl`);

  it('a review tells of the thread whose turn has asked', () => {
    expect(recordedRollout([asking, review('t1'), started()].join('\n'))).toEqual([
      expect.objectContaining({ session_id: THREAD, reviewer: 'guardian_review' }),
    ]);
  });

  it('a review of an unknown turn tells of nobody', () => {
    expect(recordedRollout([asking, review('t9')].join('\n'))).toEqual([]);
  });
});
