import { describe, expect, it } from 'vitest';
import { readClaudeAgents } from '../../../../protocol/sources/claude-agents.ts';

const BUSY = {
  cwd: '/home/dev/shop',
  kind: 'interactive',
  startedAt: 1,
  pid: 4242,
  status: 'busy',
  sessionId: 's1',
};

function read(...list: unknown[]): unknown {
  return readClaudeAgents(JSON.stringify(list));
}

describe('claude agents --json', () => {
  it('tells what runs; what has ended, or has no session yet, is left out', () => {
    expect(
      read(
        { ...BUSY, name: 'text of somebody' },
        { ...BUSY, sessionId: 's2', status: 'waiting', waitingFor: 'permission prompt', state: 'blocked' },
        {
          ...BUSY,
          sessionId: 's3',
          status: 'idle',
          waitingFor: 'permission prompt',
          pid: undefined,
          cwd: undefined,
        },
        { ...BUSY, sessionId: 's4', status: 'waiting', waitingFor: 7 },
        { cwd: '/home/dev/web', kind: 'background', startedAt: 1, state: 'done', sessionId: 's5' },
        { ...BUSY, sessionId: undefined },
      ),
    ).toEqual([
      { provider: 'claude', session_id: 's1', value: 'busy', pid: 4242, cwd: '/home/dev/shop' },
      {
        provider: 'claude',
        session_id: 's2',
        value: 'waiting',
        waiting_for: 'permission prompt',
        pid: 4242,
        cwd: '/home/dev/shop',
      },
      { provider: 'claude', session_id: 's3', value: 'idle' },
      { provider: 'claude', session_id: 's4', value: 'waiting', pid: 4242, cwd: '/home/dev/shop' },
    ]);
    expect(read()).toEqual([]);
  });

  it.each(
    [
      ['', '{}', 'null', 'error: unknown command', '[1]', '[null]', '[[]]'],
      [
        JSON.stringify([{ ...BUSY, status: 'pondering' }]),
        JSON.stringify([{ ...BUSY, status: 1 }]),
        JSON.stringify([{ ...BUSY, sessionId: 1 }]),
      ],
    ].flat(),
  )('refuses another shape: %s', (text) => {
    expect(() => readClaudeAgents(text)).toThrow(TypeError);
  });
});
