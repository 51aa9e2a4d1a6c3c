import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  changesOf,
  type ClaudeStatus,
  readClaudeSession,
} from '../../../../protocol/sources/claude-sessions.ts';

/** What Claude Code 2.1.332 writes, with names and ids made up. */
const FILE = {
  pid: 3911,
  sessionId: '840d3cf7-560e-4a82-a325-794ebb8da0fa',
  cwd: '/home/dev/shop',
  startedAt: 1_796_035_571_452,
  procStart: '490775',
  version: '2.1.332',
  peerProtocol: 1,
  peerFeatures: ['notify_idle'],
  kind: 'interactive',
  entrypoint: 'cli',
  name: 'shop-d1',
  status: 'waiting',
  waitingFor: 'permission prompt',
  updatedAt: 1_796_035_575_000,
  statusUpdatedAt: 1_796_035_574_000,
};

function statusOf(file: unknown): ClaudeStatus {
  const status = readClaudeSession(file);
  if (status === undefined) throw new Error('it says nothing');
  return status;
}

describe('a session file of Claude Code', () => {
  it('tells its session’s status, with the client’s own time stamp', () => {
    expect(statusOf(FILE)).toEqual({
      report: {
        provider: 'claude',
        session_id: FILE.sessionId,
        value: 'waiting',
        waiting_for: 'permission prompt',
        pid: 3911,
        cwd: '/home/dev/shop',
        entrypoint: 'cli',
      },
      moment: FILE.statusUpdatedAt,
    });
  });

  it.each(['idle', 'busy', 'shell'])('%s waits for nothing, whatever the file still holds', (status) => {
    const { report } = statusOf({ ...FILE, status });
    expect([report.value, report.waiting_for]).toEqual([status, undefined]);
  });

  it('may leave out what describes it, or have it in another form', () => {
    const { sessionId, statusUpdatedAt } = FILE;
    const bare = { sessionId, status: 'waiting', statusUpdatedAt };
    const odd = { ...bare, waitingFor: 5, pid: '3911', cwd: null, entrypoint: {} };
    for (const file of [bare, odd])
      expect(statusOf(file).report).toEqual({ provider: 'claude', session_id: sessionId, value: 'waiting' });
  });

  it('says nothing in its first moments, before it has a status', () => {
    const { status: _status, statusUpdatedAt: _at, ...young } = FILE;
    expect(readClaudeSession(young)).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ['a status that is not known', { ...FILE, status: 'thinking' }],
    ['a status that is no text', { ...FILE, status: 1 }],
    ['the name of something that every object has', { ...FILE, status: 'constructor' }],
    ['no session id', { ...FILE, sessionId: undefined }],
    ['a time stamp as text', { ...FILE, statusUpdatedAt: '2026-11-30T10:00:00Z' }],
    ['no time stamp', { ...FILE, statusUpdatedAt: undefined }],
    ['a list', [FILE]],
    ['null', null],
    ['text', 'busy'],
    ['a number', 7],
    ['nothing', undefined],
  ])('%s: another shape, which turns the source off', (_what, file) => {
    expect(() => readClaudeSession(file)).toThrow(TypeError);
  });

  it('of anything else it says no more than that it is another shape', () => {
    const outcome = (value: unknown): unknown => {
      try {
        return readClaudeSession(value)?.report.provider;
      } catch (error) {
        return error instanceof TypeError ? 'another shape' : error;
      }
    };
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(outcome(value)).toBeOneOf([undefined, 'claude', 'another shape']);
      }),
    );
  });
});

describe('one look at a session file after another', () => {
  const first = statusOf(FILE);
  const other = statusOf({ ...FILE, sessionId: 'other', status: 'idle' });
  const goneAt = (seenAt: number, session_id: string) => ({
    report: { provider: 'claude', session_id, value: 'gone' },
    moment: seenAt,
  });

  it('a new file, or the same session: what it says', () => {
    expect(changesOf(undefined, first, 5)).toEqual([first]);
    expect(changesOf(first, first, 5)).toEqual([first]);
  });

  it('another session in the same process: the old one is gone', () => {
    expect(changesOf(first, other, 5)).toEqual([goneAt(5, FILE.sessionId), other]);
  });

  it('the file is gone: so is its session', () => {
    expect(changesOf(first, undefined, 5)).toEqual([goneAt(5, FILE.sessionId)]);
  });

  it('unless another process has resumed it: one id, two processes', () => {
    expect(changesOf(first, undefined, 5, [statusOf({ ...FILE, pid: 4000 })])).toEqual([]);
    expect(changesOf(first, other, 5, [statusOf({ ...FILE, pid: 4000 })])).toEqual([other]);
    expect(changesOf(first, undefined, 5, [other])).toHaveLength(1);
  });

  it('nothing before and nothing now: nothing', () => {
    expect(changesOf(undefined, undefined, 5)).toEqual([]);
  });
});
