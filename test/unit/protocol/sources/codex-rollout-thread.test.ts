import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCanonicalEvent } from '../../../../protocol/event-fields.ts';
import {
  readRolloutLine,
  type RolloutEvent,
  type RolloutState,
} from '../../../../protocol/sources/codex-rollout.ts';
import { fixture } from '../../../support/adapting.ts';
import { drive } from '../../../support/driving.ts';

const THREAD = '0199c0de-0000-7000-8000-00000000a001';
const TURN = '0199c0de-0000-7000-8000-00000000b001';
const AT = '2026-09-21T09:16:02.123Z';

function line(payload: object, more: object = {}): string {
  return JSON.stringify({ timestamp: AT, ordinal: 9, type: 'event_msg', payload, ...more });
}

function eventsOf(lines: readonly string[]): RolloutEvent[] {
  let state: RolloutState = {};
  return lines.flatMap((text) => {
    const read = readRolloutLine(text, THREAD, state);
    state = read.state;
    return read.event === undefined ? [] : [read.event];
  });
}

const started = (mode = 'default', turn = TURN) =>
  line({ type: 'task_started', turn_id: turn, collaboration_mode_kind: mode });
const complete = (more: object = {}) =>
  line({ type: 'task_complete', turn_id: TURN, last_agent_message: 'Done.', ...more });
const planItem = (turn: unknown = TURN) =>
  line({ type: 'item_completed', turn_id: turn, item: { type: 'Plan', text: '1. Do a thing' } });

describe('a rollout’s line as an event', () => {
  it('is a hook’s equal, with the line’s own time stamp', () => {
    expect(eventsOf([line({ type: 'turn_aborted', turn_id: TURN, reason: 'interrupted' })])).toEqual([
      {
        v: 1,
        event: 'Interrupt',
        provider: 'codex',
        session_id: THREAD,
        prompt_id: TURN,
        sent_at: Date.parse(AT),
        reason: 'interrupted',
        notify: true,
        enveloped: true,
      },
    ]);
  });

  it.each<[string, unknown, string]>([
    ['a word', { message: 'at capacity', codex_error_info: 'server_overloaded' }, 'server_overloaded'],
    ['other', { message: 'bad request', codex_error_info: 'other' }, 'other'],
    [
      '401',
      { codex_error_info: { http_connection_failed: { http_status_code: 401 } } },
      'http_connection_failed',
    ],
    ['a sentence where a word should be', { codex_error_info: 'secret plans in here' }, 'other'],
  ])('an error, %s: one word of it', (_what, error, kind) => {
    const [event] = eventsOf([complete({ last_agent_message: null, error })]);
    expect(event).toMatchObject({ event: 'StopFailure', error: kind });
    expect(JSON.stringify(event)).not.toMatch(/message|secret|capacity|request/);
  });

  it('an error that is null is none', () => {
    expect(eventsOf([complete({ error: null })])).toMatchObject([{ event: 'Stop' }]);
  });

  it.each<[string, readonly string[]]>([
    ['of another turn', [started(), planItem('other'), complete()]],
    ['mode with a message', [started('plan'), complete()]],
    ['mode of another turn', [started('plan', 'other'), complete({ last_agent_message: null })]],
    ['mode that has ended', [started('plan'), started(), complete({ last_agent_message: null })]],
    ['that a new turn has left behind', [planItem(), started(), complete()]],
    ['that was broken off', [planItem(), line({ type: 'turn_aborted', turn_id: TURN }), complete()]],
    ['without a turn', [planItem(null), complete({ turn_id: undefined, last_agent_message: null })]],
  ])('a plan %s asks for nothing', (_what, lines) => {
    expect(eventsOf(lines).at(-1)?.plan).toBeUndefined();
  });

  it.each<[string, string]>([
    ['half a line', complete().slice(0, 60)],
    ['an empty line', ''],
    ['null', 'null'],
    [
      'a payload that is text',
      JSON.stringify({ timestamp: AT, type: 'event_msg', payload: 'task_complete' }),
    ],
    ['no time that can be read', line({ type: 'task_complete' }, { timestamp: 'yesterday' })],
    ['a time before all clocks', line({ type: 'task_complete' }, { timestamp: '0001-01-01T00:00:00Z' })],
    ['what every object has', line({ type: 'constructor' })],
  ])('%s tells nothing and forgets nothing', (_what, text) => {
    const state: RolloutState = { planned: TURN, planning: TURN };
    expect(readRolloutLine(text, THREAD, state)).toEqual({ state });
  });

  it('never throws, and what it tells is a canonical event', () => {
    const kind = fc.constantFrom('task_started', 'item_completed', 'turn_aborted', 'task_complete');
    const name = fc.constantFrom(
      'turn_id',
      'item',
      'error',
      'reason',
      'turn_attribution',
      'approvals_reviewer',
    );
    const wellFormed = fc
      .tuple(
        kind,
        fc.dictionary(name, fc.jsonValue()),
        fc.oneof(fc.constant(AT), fc.jsonValue()),
        fc.constantFrom('event_msg', 'turn_context'),
      )
      .map(([what, rest, timestamp, type]) => line({ type: what, ...rest }, { timestamp, type }));
    const cutOff = fc
      .tuple(wellFormed, fc.nat())
      .map(([text, length]) => text.slice(0, length % text.length));
    fc.assert(
      fc.property(fc.array(fc.oneof(wellFormed, cutOff, fc.json(), fc.string())), (lines) => {
        for (const event of eventsOf(lines)) expect(isCanonicalEvent(event)).toBe(true);
      }),
    );
  });
});

describe('example lines of a Codex rollout', () => {
  interface Expected {
    readonly state: string;
    readonly lamp: string;
  }
  const expected = JSON.parse(
    readFileSync(new URL('../../../fixtures/payloads/expected.json', import.meta.url), 'utf8'),
  ) as Record<string, Expected>;
  const rows = Object.entries(expected).filter(
    ([file, { state }]) => file.startsWith('codex-rollout/') && state !== 'usage',
  );

  it('all are here', () => {
    expect(rows).toHaveLength(3);
  });

  it.each(rows)('%s', (file, { state, lamp }) => {
    const { driver, tell } = thread();
    tell(JSON.stringify(fixture('codex-rollout', file.replace('codex-rollout/', '').replace('.json', ''))));
    expect([driver.state(THREAD), driver.lamp(THREAD)]).toEqual([state, lamp]);
  });
});

/** A thread in a turn, and what its rollout tells a second later. */
function thread() {
  const driver = drive({ defaults: { provider: 'codex', session_id: THREAD } });
  driver.begin({ prompt_id: TURN });
  const tell = (...lines: readonly string[]) => {
    const [first] = eventsOf(lines);
    if (first === undefined) throw new Error('it tells nothing');
    const { event, ...fields } = first;
    return driver.hook(event, { ...fields, sent_at: driver.now() + 950 });
  };
  return { driver, tell };
}

describe('a thread and its rollout', () => {
  it('an API error that no hook tells ends the turn in red', () => {
    const { driver, tell } = thread();
    tell(complete({ error: { codex_error_info: 'server_overloaded' } }));
    expect([driver.state(THREAD), driver.reason(THREAD), driver.lamp(THREAD)]).toEqual([
      'error',
      'server_overloaded',
      'blocked',
    ]);
  });

  it('what it repeats of a hook changes nothing', () => {
    const { driver, tell } = thread();
    driver.hook('Stop', { prompt_id: TURN });
    const before = driver.the(THREAD);
    expect(tell(complete())).toBe('no_change');
    expect(driver.the(THREAD)).toBe(before);
  });

  it('the plan of a turn whose Stop has come waits for the user', () => {
    const { driver, tell } = thread();
    driver.hook('Stop', { prompt_id: TURN });
    tell(planItem(), complete());
    expect([driver.state(THREAD), driver.kinds(THREAD)]).toEqual(['needs_user', ['plan_approval']]);
    driver.hook('UserPromptSubmit', { prompt_id: 't2' });
    expect(driver.state(THREAD)).toBe('running');
  });

  it('of a thread no hook has named it says nothing while hooks work (rule 13)', () => {
    const { driver } = thread();
    const [stop] = eventsOf([complete()]);
    const { event = 'Stop', ...fields } = stop ?? {};
    driver.hook(event, {
      ...fields,
      session_id: '0199c0de-0000-7000-8000-00000000a002',
      sent_at: driver.now(),
    });
    expect([...driver.table.sessions()]).toHaveLength(1);
  });
});
