import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCanonicalEvent } from '../../../../protocol/event-fields.ts';
import { readRolloutLine } from '../../../../protocol/sources/codex-rollout.ts';
import { readCopilotLine } from '../../../../protocol/sources/copilot-events.ts';
import { recordedRollout, recordedStatuses } from '../../../../protocol/sources/recorded-sources.ts';
import { readRecording, recordedEvent, zeroOf } from '../../../../protocol/sources/recording.ts';
import { CONTEXT, RECEIVED } from '../../../support/adapting.ts';

const lines = (...objects: readonly unknown[]) => objects.map((one) => JSON.stringify(one)).join('\n');

describe('a recording’s lines', () => {
  it('are read in order', () => {
    const text = lines({ tMs: 0, driver: 'start' }, { tMs: 12, sessionFile: '7.json', changed: {} });
    expect(readRecording(`${text}\n`).map((line) => line.tMs)).toEqual([0, 12]);
  });

  it('what was cut off, or is no line of one, is left out', () => {
    const text = [lines({ tMs: 1 }), '', '   ', '[]', 'null', '3', lines({ tMs: '2' }), '{"tMs": 3, "dri'];
    expect(readRecording(text.join('\n'))).toEqual([{ tMs: 1 }]);
  });

  it('whatever the text is', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(fc.json()).map((all) => all.join('\n')),
        ),
        (text) => {
          for (const line of readRecording(text)) expect(typeof line.tMs).toBe('number');
        },
      ),
    );
  });

  it('have their zero from the first thing the driver did, else from the first hook', () => {
    const driver = { tMs: 100, atMs: 5_100, driver: 'start' };
    const file = { tMs: 10, atMs: 9_999, sessionFile: '7.json' };
    const hook = { tMs: 40, receivedAtMs: 5_030 };
    expect(zeroOf(readRecording(lines(file, hook, driver)))).toBe(5_000);
    expect(zeroOf(readRecording(lines(file, hook)))).toBe(4_990);
    expect(zeroOf(readRecording(lines(file, { tMs: 3 })))).toBe(0);
  });
});

describe('a recorded hook', () => {
  const event = (line: object) => recordedEvent({ tMs: 0, ...line }, RECEIVED, CONTEXT);
  const stop = { hook_event_name: 'Stop', session_id: 's1', cwd: '/home/dev/shop' };

  it('is what the sender’s envelope would have brought', () => {
    expect(
      event({
        argv: ['claude', 'Stop'],
        receivedAtMs: RECEIVED - 40,
        ppid: 77,
        env: { CLAUDE_PID: '77', CLAUDE_CODE_ENTRYPOINT: 'cli', ANTHROPIC_API_KEY: 'canary' },
        stdin: stop,
      }),
    ).toEqual({
      v: 1,
      event: 'Stop',
      provider: 'claude',
      session_id: 's1',
      cwd: '/home/dev/shop',
      host: 'studio',
      sent_at: RECEIVED - 40,
      ppid: 77,
      pid: 77,
      entrypoint: 'cli',
      enveloped: true,
    });
  });

  it('called `http` is Claude’s', () => {
    expect(event({ argv: ['http'], stdin: stop })).toMatchObject({ provider: 'claude', event: 'Stop' });
  });

  it('called `codex-notify` is Codex’, its JSON is the last argument and the rest of them no event’s name', () => {
    const said = { type: 'agent-turn-complete', 'thread-id': 't1', 'turn-id': 'u1', cwd: '/home/dev/shop' };
    expect(event({ argv: ['codex-notify', '--no-stdin', JSON.stringify(said)], stdin: '' })).toMatchObject({
      provider: 'codex',
      event: 'Stop',
      session_id: 't1',
      notify: true,
    });
  });

  it('may have the event’s name in its call alone', () => {
    const { hook_event_name: _name, ...stdin } = stop;
    expect(event({ argv: ['claude', 'Stop'], stdin })).toMatchObject({ event: 'Stop' });
  });

  it.each<[string, object]>([
    ['of a client nobody knows', { argv: ['emacs', 'Stop'], stdin: stop }],
    ['without a caller', { argv: [], stdin: stop }],
    ['that is no hook line', { stdin: stop }],
    ['without a payload', { argv: ['claude', 'Stop'] }],
    ['whose JSON was cut off', { argv: ['codex-notify', '{"type":"agent-'] }],
    ['without its JSON', { argv: ['codex-notify'] }],
  ])('%s is refused', (_what, line) => {
    expect(event(line)).toBeUndefined();
  });
});

describe('recorded session files', () => {
  const file = (tMs: number, changed: object) => ({ tMs, sessionFile: '7.json', changed });
  const statuses = (...objects: readonly unknown[]) =>
    recordedStatuses(readRecording(lines(...objects)), 1_000).map(({ report, moment, seenAt }) => [
      report.session_id,
      report.value,
      report.waiting_for,
      moment,
      seenAt,
    ]);

  it('each line holds what has changed, and what has not is known from before', () => {
    expect(
      statuses(
        file(10, { sessionId: 's1', cwd: '/home/dev/shop' }),
        file(20, { status: 'idle', statusUpdatedAt: 1_015 }),
        { tMs: 25, driver: 'typed' },
        file(30, { status: 'waiting', waitingFor: 'input needed', statusUpdatedAt: 1_028 }),
        file(40, { status: 'busy', statusUpdatedAt: 1_039 }),
        file(50, { status: 'waiting', statusUpdatedAt: 1_049 }),
        { tMs: 60, sessionFile: '7.json', removed: true },
      ),
    ).toEqual([
      ['s1', 'idle', undefined, 1_015, 1_020],
      ['s1', 'waiting', 'input needed', 1_028, 1_030],
      ['s1', 'busy', undefined, 1_039, 1_040],
      ['s1', 'waiting', undefined, 1_049, 1_050],
      ['s1', 'gone', undefined, 1_060, 1_060],
    ]);
  });

  it('another session id: the old one is gone', () => {
    expect(
      statuses(
        file(10, { sessionId: 's1', status: 'idle', statusUpdatedAt: 1_010 }),
        file(20, { sessionId: 's2' }),
        file(30, { status: 'busy', statusUpdatedAt: 1_029 }),
      ),
    ).toEqual([
      ['s1', 'idle', undefined, 1_010, 1_010],
      ['s1', 'gone', undefined, 1_020, 1_020],
      ['s2', 'idle', undefined, 1_010, 1_020],
      ['s2', 'busy', undefined, 1_029, 1_030],
    ]);
  });

  it('one session in two processes is gone with the last', () => {
    const status = { sessionId: 's1', status: 'busy', statusUpdatedAt: 1_005 };
    expect(
      statuses(
        { tMs: 5, sessionFile: '7.json', changed: status },
        { tMs: 6, sessionFile: '8.json', changed: status },
        { tMs: 10, sessionFile: '7.json', removed: true },
        { tMs: 20, sessionFile: '8.json', removed: true },
        { tMs: 30, sessionFile: '9.json', removed: true },
      ).slice(2),
    ).toEqual([['s1', 'gone', undefined, 1_020, 1_020]]);
  });

  it('another shape turns the source off from there on', () => {
    expect(
      statuses(
        file(10, { sessionId: 's1', status: 'idle', statusUpdatedAt: 1_010 }),
        file(20, { status: 'pondering', statusUpdatedAt: 1_020 }),
        file(30, { status: 'busy', statusUpdatedAt: 1_030 }),
      ),
    ).toEqual([['s1', 'idle', undefined, 1_010, 1_010]]);
  });
});

describe('recorded rollouts', () => {
  const THREAD = '0199c0de-0000-7000-8000-00000000a001';
  const line = (file: string, payload: object) => ({
    _file: file,
    timestamp: '2026-09-21T09:16:02.123Z',
    type: 'event_msg',
    payload,
  });
  const rollout = (thread: string) => `rollout-2026-11-30T10-17-20-${thread}.jsonl`;

  it('each line names its file, and each file has a memory of its own', () => {
    const other = THREAD.replace('a001', 'a002');
    const plan = { type: 'item_completed', turn_id: 't1', item: { type: 'Plan' } };
    const end = { type: 'task_complete', turn_id: 't1', last_agent_message: 'x' };
    const text = lines(
      line(rollout(THREAD), plan),
      line(rollout(other), end),
      line(rollout(THREAD), end),
      line('history.jsonl', end),
      { ...line('', end), _file: undefined },
    );
    expect(recordedRollout(`${text}\n{"_file": "${rollout(THREAD)}", "time`)).toMatchObject([
      { event: 'Stop', session_id: other },
      { event: 'Stop', session_id: THREAD, plan: true },
    ]);
    expect(recordedRollout(text)[0]?.plan).toBeUndefined();
  });

  it('none: nothing', () => {
    expect(recordedRollout('')).toEqual([]);
  });
});

describe('a plugin’s hook', () => {
  it('is named by the word after `hook`', () => {
    const stdin = { sessionID: 'ses_1', agent: 'build' };
    const event = (...argv: readonly string[]) => recordedEvent({ tMs: 0, argv, stdin }, RECEIVED, CONTEXT);
    expect(event('opencode', 'hook', 'chat.message')).toMatchObject({ event: 'UserPromptSubmit' });
    expect(event('opencode', 'hook')).toBeUndefined();
    expect(event('opencode', 'event')).toMatchObject({ event: 'Other', native: 'event' });
  });
});

describe('the readers of growing files', () => {
  const hostile = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom<unknown>({ toString: 1, valueOf: 1 }, { length: 3 }, 'x'.repeat(10_000), []),
  );
  const name = fc.constantFrom(
    ...['type', 'data', 'payload', 'timestamp', 'agentId', '_file', '__proto__', 'constructor'],
  );
  const field = fc.constantFrom(
    ...[
      'type',
      'requestId',
      'permissionRequest',
      'toolCallId',
      'toolName',
      'arguments',
      'result',
      'hookType',
    ],
    ...['input', 'errorType', 'reason', 'turn_id', 'item', 'error', 'approvals_reviewer', 'turn_attribution'],
  );
  const kind = fc.constantFrom(
    ...[
      'permission.requested',
      'permission.completed',
      'tool.execution_start',
      'session.error',
      'abort',
      'hook.start',
    ],
    ...[
      'user.message',
      'event_msg',
      'turn_context',
      'task_started',
      'task_complete',
      'turn_aborted',
      'item_completed',
    ],
  );
  const inner = fc.dictionary(field, fc.oneof(hostile, kind));
  const entry = fc
    .tuple(
      fc.dictionary(name, hostile),
      fc.record({ type: kind, data: inner, payload: inner }, { requiredKeys: [] }),
    )
    .map(([odd, known]) => ({ timestamp: '2026-11-30T10:00:00.000Z', ...odd, ...known }));

  it('make canonical events of any line, or none', () => {
    const thread = '01a22bf2-94d2-7cd0-87f3-263ae6c10796';
    fc.assert(
      fc.property(fc.array(fc.oneof(entry, hostile)), (all) => {
        let rollout = {};
        let log = {};
        for (const line of all.map((one) => JSON.stringify(one))) {
          const turn = readRolloutLine(line, thread, rollout);
          const told = readCopilotLine(line, 's1', log, () => undefined);
          for (const { event } of [turn, told])
            expect(event === undefined || isCanonicalEvent(event)).toBe(true);
          rollout = turn.state;
          log = told.state;
        }
      }),
      { numRuns: 500 },
    );
  });
});
