import { describe, expect, it } from 'vitest';
import type { ReplayedChange } from '../../../protocol/replay.ts';
import { alertScore } from '../../truth/alert-score.ts';
import { type Truth, truthOf } from '../../truth/client-truth.ts';
import { endScore } from '../../truth/end-score.ts';
import { withNoise } from '../../truth/noise.ts';
import type { Recording } from '../../truth/recordings.ts';
import { timeScore } from '../../truth/time-score.ts';

const ZERO = 1_790_000_000_000;

type Line = Recording['lines'][number];

const hook = (tMs: number, hook_event_name: string, more: object = {}): Line => ({
  tMs,
  receivedAtMs: ZERO + tMs,
  argv: ['claude', hook_event_name],
  stdin: { hook_event_name, session_id: 's1', ...more },
});
const idlePrompt = (client: string): Line => ({
  ...hook(8_050, 'Notification', { notification_type: 'idle_prompt' }),
  argv: [client, 'Notification'],
});
const status = (tMs: number, changed: object): Line => ({
  tMs,
  sessionFile: '7.json',
  changed: { ...changed },
});

/** Prompted at 1 s, waits from 3 s to 5 s, rests from 8 s to 20 s. */
function recording(...more: readonly Line[]): Recording {
  const lines: Line[] = [
    { tMs: 0, atMs: ZERO },
    status(10, { sessionId: 's1', status: 'idle' }),
    hook(1_000, 'UserPromptSubmit'),
    status(1_000, { status: 'busy' }),
    status(3_000, { status: 'waiting', waitingFor: 'permission prompt' }),
    status(5_000, { status: 'busy' }),
    status(8_000, { status: 'idle' }),
    { tMs: 20_000 },
    ...more,
  ];
  return {
    scenario: 'one',
    fileName: 'one.jsonl',
    rollout: '',
    events: '',
    lines: lines.sort((a, b) => a.tMs - b.tMs),
  };
}

function truth(of: Recording): Truth {
  return truthOf(of, {});
}

const says = (
  ...changes: readonly (readonly [at: number, state: ReplayedChange['state'], reason?: string])[]
): ReplayedChange[] =>
  changes.map(([t_ms, state, reason = '']) => ({ t_ms, session_id: 's1', state, reason, lamp: null }));

const RIGHT = says([1_000, 'running'], [3_000, 'needs_user'], [5_000, 'running'], [8_000, 'done']);

function scored(changes: readonly ReplayedChange[], of = recording()): object {
  return timeScore(of, truth(of), changes);
}

describe('the time-weighted score', () => {
  it('counts the time outside 400 ms after each change of the truth', () => {
    expect(scored(RIGHT)).toMatchObject({ ms: 17_990, right: 17_990, wrong: 0 });
  });

  it('does not count what says the coming truth up to 400 ms early', () => {
    const early = says([600, 'running'], [2_600, 'needs_user'], [4_600, 'running'], [7_600, 'done']);
    expect(scored(early)).toMatchObject({ wrong: 0, right: 16_390 });
  });

  it.each([
    ['missed_wait', says([1_000, 'running'], [8_000, 'done']), 1_200],
    ['false_wait', says([1_000, 'running'], [3_000, 'needs_user'], [8_000, 'done']), 2_600],
    ['false_busy', says([1_000, 'running'], [3_000, 'needs_user'], [5_000, 'running']), 11_600],
    ['false_calm', says([1_000, 'running'], [3_000, 'needs_user'], [5_000, 'done']), 2_200],
    ['unknown', says([1_000, 'running'], [3_000, 'needs_user'], [5_000, 'unknown'], [8_000, 'done']), 2_600],
  ])('counts %s', (counter, changes, ms) => {
    expect(scored(changes)).toMatchObject({ [counter]: ms });
  });

  it('allows running for a session that nobody has prompted', () => {
    expect(scored([...says([300, 'running']), ...RIGHT])).toMatchObject({ wrong: 0 });
  });

  it('calls a wait for the account right, which no status shows', () => {
    const failed = recording(hook(8_000, 'StopFailure', { error: 'billing_error' }));
    const changes = [...RIGHT.slice(0, 3), ...says([8_000, 'needs_user', 'billing_error'])];
    expect(scored(changes, failed)).toMatchObject({ wrong: 0 });
  });

  it('calls a question in prose idle', () => {
    const changes = [...RIGHT.slice(0, 3), ...says([8_000, 'needs_user', 'possible_question'])];
    expect(scored(changes)).toMatchObject({ wrong: 0 });
  });
});

describe('alerts', () => {
  const alerts = (...times: readonly number[]): object => {
    const of = recording();
    const given = times.map((t_ms) => ({ t_ms, session_id: 's1', reason: 'permission_request' }));
    const { right, wrong } = alertScore(of, truth(of), given);
    return { right, wrong: wrong.map(({ what, at }) => [what, at]) };
  };

  it('one for each real wait is right', () => {
    expect(alerts(3_550)).toEqual({ right: 1, wrong: [] });
  });

  it('another one for the same wait is doubled', () => {
    expect(alerts(3_550, 4_200)).toEqual({ right: 1, wrong: [['doubled', 4_200]] });
  });

  it('one outside any wait is false, and a wait without one is missed', () => {
    expect(alerts(9_000)).toEqual({
      right: 0,
      wrong: [
        ['false', 9_000],
        ['missed', 3_000],
      ],
    });
  });
});

describe('ends', () => {
  const ends = (of: Recording, changes: readonly ReplayedChange[], sources = false): object => {
    const { right, wrong } = endScore(of, truth(of), changes, sources);
    return { right, wrong: wrong.map(({ want, got }) => [want, got]) };
  };
  const ending = (state: ReplayedChange['state']): ReplayedChange[] => [
    ...RIGHT.slice(0, 3),
    ...says([8_000, state]),
  ];

  it.each([
    ['Stop', {}, 'done'],
    ['StopFailure', { error: 'rate_limit' }, 'error'],
    ['StopFailure', { error: 'billing_error' }, 'needs_user'],
  ] as const)('after %s %j it is %s', (event, more, state) => {
    const of = recording(hook(7_950, event, more));
    expect(ends(of, ending(state))).toEqual({ right: 1, wrong: [] });
    expect(ends(of, ending('running'))).toMatchObject({ right: 0 });
  });

  it.each<[string, Line[], ReplayedChange['state']]>([
    ['Gemini’s answer is an end', [hook(7_950, 'AfterAgent', { prompt_response: 'Done.' })], 'done'],
    [
      'one without a text is an error',
      [hook(7_950, 'AfterAgent', { prompt_response: '[no response text]' })],
      'error',
    ],
    ['Qwen’s idle_prompt alone is idle', [idlePrompt('qwen')], 'idle'],
    ['after a Stop it says nothing new', [hook(7_950, 'Stop'), idlePrompt('qwen')], 'done'],
    [
      'Qwen’s empty prompt begins nothing',
      [hook(7_900, 'Stop'), hook(7_950, 'UserPromptSubmit', { prompt: '' })],
      'done',
    ],
  ])('%s', (_name, told, state) => {
    expect(ends(recording(...told), ending(state))).toEqual({ right: 1, wrong: [] });
    expect(ends(recording(...told), ending('running'))).toMatchObject({ right: 0 });
  });

  it('with nothing told it is not done; with the status it is idle', () => {
    expect(ends(recording(), ending('running'))).toEqual({ right: 1, wrong: [] });
    expect(ends(recording(), ending('done'))).toEqual({ right: 0, wrong: [['untold', 'done']] });
    expect(ends(recording(), ending('idle'), true)).toEqual({ right: 1, wrong: [] });
    expect(ends(recording(), ending('done'), true)).toEqual({ right: 0, wrong: [['idle', 'done']] });
  });
});

describe('noise', () => {
  const of = recording(...Array.from({ length: 200 }, (_, n) => hook(n * 10, 'PostToolUse')));

  it('is the same for the same seed, and another for another', () => {
    expect(withNoise(of, 1)).toEqual(withNoise(of, 1));
    expect(withNoise(of, 1)).not.toEqual(withNoise(of, 2));
  });

  it('loses some hooks and delays the others; the sender’s time and the status stay', () => {
    const { lines } = withNoise(of, 3);
    const hooks = lines.filter(({ stdin }) => stdin !== undefined);
    expect(hooks.length).toBeLessThan(201);
    expect(hooks.length).toBeGreaterThan(170);
    for (const { tMs, receivedAtMs = 0 } of hooks) {
      expect(tMs - (receivedAtMs - ZERO)).toBeGreaterThanOrEqual(0);
      expect(tMs - (receivedAtMs - ZERO)).toBeLessThanOrEqual(1_200);
    }
    const others = (all: Recording): Line[] => all.lines.filter(({ stdin }) => stdin === undefined);
    expect(others({ ...of, lines })).toEqual(others(of));
    expect(lines.map(({ tMs }) => tMs)).toEqual(lines.map(({ tMs }) => tMs).sort((a, b) => a - b));
  });
});
