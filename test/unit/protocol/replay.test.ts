import { describe, expect, it } from 'vitest';
import { replay, type ReplayOptions } from '../../../protocol/replay.ts';
import { CONTEXT } from '../../support/adapting.ts';
import { MINUTE, tableOptions } from '../../support/driving.ts';

const ZERO = 1_796_035_571_143;

function options(more: Partial<ReplayOptions> = {}): ReplayOptions {
  return { table: tableOptions(), adapting: CONTEXT, sources: true, ...more };
}

/** A hook that took 40 ms to reach the recorder. */
function hook(tMs: number, name: string, fields: object = {}, sid = 's1') {
  const stdin = { hook_event_name: name, session_id: sid, cwd: '/home/dev/shop', ...fields };
  return { tMs, receivedAtMs: ZERO + tMs - 40, argv: ['claude', name], env: {}, stdin };
}

const file = (tMs: number, changed: object, name = '7.json') => ({ tMs, sessionFile: name, changed });
const status = (tMs: number, value: string, more: object = {}) =>
  file(tMs, { sessionId: 's1', status: value, statusUpdatedAt: ZERO + tMs - 20, ...more });
const driver = (tMs: number, what: string) => ({ tMs, atMs: ZERO + tMs, driver: what, pane: 'main' });

/** A permission that is answered with No: no hook tells, the session file does. */
const DENIED = [
  driver(0, 'start'),
  hook(360, 'SessionStart', { source: 'startup' }),
  hook(1_812, 'UserPromptSubmit', { prompt_id: 'p1', prompt: 'x' }),
  hook(2_000, 'PreToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' }, prompt_id: 'p1' }),
  hook(2_050, 'PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'ls' }, prompt_id: 'p1' }),
  status(2_060, 'waiting', { waitingFor: 'permission prompt' }),
  driver(5_000, 'No'),
  status(5_200, 'idle'),
  driver(9_000, 'waits'),
];
const text = (lines: readonly object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

/** A change in short: when, whose, and what is shown. */
function brief(lines: readonly object[], more: Partial<ReplayOptions> = {}) {
  return replay(text(lines), options(more)).changes.map(({ t_ms, session_id, state, reason, lamp }) =>
    [t_ms, session_id, state, reason, lamp].join(' '),
  );
}

describe('a replay', () => {
  it('tells each change when the bus would have told it: hooks as they came, session files 50 ms later', () => {
    expect(brief(DENIED)).toEqual([
      '360 s1 running session_start ready',
      '1812 s1 running user_prompt active',
      '2000 s1 running tool_use active',
      '2050 s1 needs_user permission_request permission',
      '5250 s1 idle interrupted ready',
    ]);
  });

  it('with hooks alone it knows no more than they tell', () => {
    expect(brief(DENIED, { sources: false }).at(-1)).toBe('2050 s1 needs_user permission_request permission');
  });

  it('the order of the lines is that of their times', () => {
    expect(brief([...DENIED.slice(0, 1), ...DENIED.slice(1).toReversed()])).toEqual(brief(DENIED));
  });

  it('deadlines come between the lines, at their own moment', () => {
    const stop = hook(3_000, 'Stop', { prompt_id: 'p1', last_assistant_message: 'Fine.' });
    const later = driver(3_000 + 5 * MINUTE, 'waits');
    expect(brief([...DENIED.slice(0, 4), stop, later]).slice(-3)).toEqual([
      '3000 s1 done stop completed',
      '33000 s1 done stop ready',
      `${3_000 + 5 * MINUTE} s1   `,
    ]);
  });

  it('a status that is contested wins in between', () => {
    const tool = hook(5_300, 'PostToolUse', { tool_name: 'Read', tool_input: {}, agent_id: 'a1' });
    const again = hook(5_310, 'PreToolUse', { tool_name: 'Read', tool_input: {} });
    expect(brief([...DENIED.slice(0, -1), tool, again, driver(9_000, 'waits')]).slice(-2)).toEqual([
      '5310 s1 running tool_use active',
      '6010 s1 idle interrupted ready',
    ]);
  });

  it('a session that is removed has neither state nor lamp, and may come back', () => {
    const removed = { tMs: 6_000, sessionFile: '7.json', removed: true };
    const { changes } = replay(
      text([...DENIED.slice(0, -1), removed, hook(8_000, 'SessionStart', { source: 'resume' })]),
      options(),
    );
    expect(changes.slice(-2)).toEqual([
      { t_ms: 6_050, session_id: 's1', state: null, reason: '', lamp: null },
      { t_ms: 8_000, session_id: 's1', state: 'idle', reason: 'session_start', lamp: 'ready' },
    ]);
  });

  it('what was never shown is not told of when it goes', () => {
    const removed = { tMs: 6_000, sessionFile: '7.json', removed: true };
    expect(brief([driver(0, 'start'), status(1_000, 'idle'), removed])).toEqual([]);
  });

  it('tells alerts and transitions too, for scores', () => {
    const { alerts, transitions } = replay(text(DENIED), options());
    expect(alerts).toEqual([{ t_ms: 2_550, session_id: 's1', reason: 'permission_request' }]);
    expect(transitions.map(({ t_ms, event_type }) => [t_ms, event_type])).toContainEqual([
      2_050,
      'needs_user',
    ]);
    const twice = [
      ...DENIED.slice(0, -1),
      hook(7_000, 'UserPromptSubmit', { prompt_id: 'p2' }),
      hook(7_100, 'Elicitation', {}),
      driver(9_000, 'waits'),
    ];
    expect(replay(text(twice), options()).alerts.map(({ t_ms }) => t_ms)).toEqual([2_550, 7_600]);
  });

  it('reads the Codex rollouts beside it, 50 ms after their own time stamps', () => {
    const thread = '0199c0de-0000-7000-8000-00000000a001';
    const of = (tMs: number, name: string, fields: object = {}) => ({
      ...hook(tMs, name, { turn_id: 't1', ...fields }, thread),
      argv: ['codex', name],
    });
    const rollout = JSON.stringify({
      _file: `rollout-2026-11-30T10-17-20-${thread}.jsonl`,
      timestamp: new Date(ZERO + 3_000).toISOString(),
      type: 'event_msg',
      payload: { type: 'task_complete', turn_id: 't1', error: { codex_error_info: 'usage_limit_exceeded' } },
    });
    const lines = [
      driver(0, 'start'),
      of(900, 'SessionStart'),
      of(1_000, 'UserPromptSubmit'),
      driver(9_000, 'waits'),
    ];
    expect(brief(lines, { rollout }).at(-1)).toBe(`3050 ${thread} error usage_limit_exceeded blocked`);
    expect(brief(lines, { rollout, sources: false }).at(-1)).toBe(
      `1000 ${thread} running user_prompt active`,
    );
  });

  it('a rollout that no hook has named is read at its own times, and believed where no hooks work', () => {
    const rollout = JSON.stringify({
      _file: 'rollout-2026-11-30T10-17-20-0199c0de-0000-7000-8000-00000000a001.jsonl',
      timestamp: new Date(ZERO + 3_000).toISOString(),
      type: 'event_msg',
      payload: { type: 'task_complete', turn_id: 't1' },
    });
    expect(brief([driver(0, 'start'), driver(9_000, 'waits')], { rollout })).toEqual([
      '3050 0199c0de-0000-7000-8000-00000000a001 done stop completed',
    ]);
  });

  it('what is refused is left out, and of nothing comes nothing', () => {
    expect(brief([driver(0, 'start'), { ...hook(5, 'Stop'), argv: ['emacs', 'Stop'] }])).toEqual([]);
    expect(replay('', options())).toMatchObject({ changes: [], alerts: [], transitions: [] });
  });

  it('a recording that was cut off is told as far as it goes', () => {
    const whole = text(DENIED);
    expect(replay(whole.slice(0, whole.length - 150), options()).changes.length).toBeGreaterThan(3);
  });
});
