import { describe, expect, it } from 'vitest';
import { adapted, eventOf, RECEIVED } from '../../../support/adapting.ts';

const STOP = { hook_event_name: 'Stop', session_id: 's1', cwd: '/home/dev/shop' };
const CANONICAL_STOP = {
  v: 1,
  event: 'Stop',
  provider: 'claude',
  session_id: 's1',
  cwd: '/home/dev/shop',
  host: 'studio',
};

describe("the sender's envelope", () => {
  const envelope = {
    v: 1,
    id: '0193-aa',
    sent_at: RECEIVED - 20,
    host: 'laptop',
    ppid: 4711,
    tty: '/dev/pts/3',
    env: {
      TMUX_PANE: '%3',
      TERM_PROGRAM: 'iTerm.app',
      SIGNALBOX_JOB_ID: 'job-1',
      CLAUDE_PID: '4700',
      CLAUDE_CODE_ENTRYPOINT: 'cli',
      CLAUDE_CODE_CHILD_SESSION: '1',
      SSH_CONNECTION: true,
      ANTHROPIC_API_KEY: 'secret',
    },
    hook: STOP,
  };
  const opened = {
    ...CANONICAL_STOP,
    enveloped: true,
    id: '0193-aa',
    sent_at: RECEIVED - 20,
    host: 'laptop',
    ppid: 4711,
    tty: '/dev/pts/3',
    tmux_pane: '%3',
    term_program: 'iTerm.app',
    job_id: 'job-1',
    ssh: true,
  };
  const claudes = { pid: 4700, entrypoint: 'cli', child_session: true };

  it('is opened', () => expect(eventOf('claude', envelope)).toEqual({ ...opened, ...claudes }));

  it("of an agent inside Claude says nothing of Claude's process", () => {
    expect(eventOf('codex', envelope)).toEqual({ ...opened, provider: 'codex' });
  });

  it('may hold nothing but the payload', () => {
    expect(eventOf('claude', { v: 1, hook: STOP })).toEqual({ ...CANONICAL_STOP, enveloped: true });
    expect(
      eventOf('claude', { v: 1, hook: STOP, env: 'none', sent_at: 'now', host: 5, ppid: -1, tty: null }),
    ).toEqual({
      ...CANONICAL_STOP,
      enveloped: true,
    });
  });

  it.each([
    ['4700', 4700],
    [4700, 4700],
    ['4700; rm', undefined],
    ['', undefined],
    ['99999999999', undefined],
  ])("takes Claude's process from %j as %s", (CLAUDE_PID, pid) => {
    expect(eventOf('claude', { v: 1, hook: STOP, env: { CLAUDE_PID } }).pid).toBe(pid);
  });

  it.each([
    ['before its arrival', -5000, -5000],
    ['at its arrival', 0, 0],
    ['ahead of it', 5000, 0],
  ])('was sent %s', (_name, offset, expected) => {
    expect(eventOf('claude', { ...envelope, sent_at: RECEIVED + offset }).sent_at).toBe(RECEIVED + expected);
  });

  it('names the event of an agent whose JSON does not', () => {
    const hook = { sessionId: 'c1', cwd: '/a' };
    expect(eventOf('copilot', { v: 1, event: 'SessionEnd', hook })).toMatchObject({
      event: 'SessionEnd',
      cwd: '/a',
    });
    expect(eventOf('copilot', { v: 1, event: 'agentStop', hook })).toMatchObject({
      event: 'Stop',
      native: 'agentStop',
    });
    expect(eventOf('copilot', { v: 1, event: 'somethingNew', hook })).toMatchObject({
      event: 'Other',
      native: 'somethingNew',
    });
    expect(eventOf('claude', { v: 1, event: 'SessionEnd', hook: STOP }).event).toBe('Stop');
    expect(adapted('copilot', { v: 1, hook })).toMatchObject({ code: 'unknown_event' });
  });

  it('may hold the canonical form, a raw signal, what notify gets, or a cut-down event', () => {
    expect(eventOf('claude', { ...envelope, hook: { event: 'Stop', session_id: 's1' } })).toMatchObject({
      enveloped: true,
      event: 'Stop',
    });
    expect(eventOf('claude', { ...envelope, hook: { signal: 'done' } })).toMatchObject({
      enveloped: true,
      signal: 'done',
      ppid: 4711,
    });
    expect(
      eventOf('codex', { ...envelope, hook: { type: 'agent-turn-complete', 'thread-id': 't1' } }),
    ).toMatchObject({
      enveloped: true,
      notify: true,
      session_id: 't1',
    });
    expect(eventOf('claude', { ...envelope, hook: { ...CANONICAL_STOP, id: 'own' } })).toMatchObject({
      id: 'own',
      ppid: 4711,
      host: 'studio',
    });
  });

  it.each([
    ['inside another', { v: 1, hook: { v: 1, hook: STOP } }],
    ['without a payload', { v: 1, id: 'x' }],
    ['around no object', { v: 1, hook: 'Stop' }],
    ['of another version', { v: 2, hook: STOP }],
  ])('%s is none', (_name, payload) =>
    expect(adapted('claude', payload)).toMatchObject({ code: 'unknown_event' }),
  );

  it('is not seen in a hook payload that happens to have a hook field', () => {
    expect(eventOf('claude', { ...STOP, v: 1, hook: { session_id: 'evil' } })).toEqual(CANONICAL_STOP);
  });
});
