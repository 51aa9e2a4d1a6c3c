import { describe, expect, it } from 'vitest';
import { type CanonicalEvent, SIGNAL_NAMES } from '../../../../protocol/events.ts';
import { adapted, derivedSession, digestOf, eventOf, RECEIVED } from '../../../support/adapting.ts';

const STOP = { hook_event_name: 'Stop', session_id: 's1', cwd: '/home/dev/shop' };

describe('the canonical form by hand', () => {
  it("takes our names and the agents'", () => {
    const ours = {
      event: 'PostToolUse',
      session_id: 's1',
      tool: 'Bash',
      call: 'c1',
      agent_id: 'a1',
      prompt_id: 'p1',
      transcript: '/t',
    };
    const theirs = {
      event: 'PostToolUse',
      session_id: 's1',
      tool_name: 'Bash',
      tool_use_id: 'c1',
      agent_id: 'a1',
      prompt_id: 'p1',
      transcript_path: '/t',
    };
    expect(eventOf('gemini', ours)).toEqual(eventOf('gemini', theirs));
    expect(eventOf('gemini', ours)).toMatchObject({ tool: 'Bash', call: 'c1', transcript: '/t' });
    expect(
      eventOf('gemini', { event: 'Notification', session_id: 's1', notification_type: 'x' }).notification,
    ).toBe('x');
    expect(
      eventOf('gemini', { event: 'Notification', session_id: 's1', notification: 'x' }).notification,
    ).toBe('x');
  });

  it('digests a tool input, whatever digest stands beside it', () => {
    const payload = {
      event: 'PermissionRequest',
      session_id: 's1',
      tool: 'Bash',
      tool_input: { command: 'ls' },
      digest: '0123456789abcdef',
    };
    expect(eventOf('claude', payload).digest).toBe(digestOf('{"command":"ls"}'));
    expect(eventOf('claude', { ...payload, tool_input: undefined }).digest).toBe('0123456789abcdef');
    expect(eventOf('claude', { ...payload, tool_input: undefined, digest: 'ls' }).digest).toBeUndefined();
  });

  it('may say what an adapter would have read, and have its message read', () => {
    expect(eventOf('amp', { event: 'Stop', session_id: 's1', question: true }).question).toBe(true);
    expect(
      eventOf('amp', { event: 'Stop', session_id: 's1', question: true, last_assistant_message: 'Done.' })
        .question,
    ).toBe(true);
    expect(
      eventOf('amp', { event: 'Stop', session_id: 's1', last_assistant_message: 'Should I go on?' }).question,
    ).toBe(true);
    expect(
      eventOf('amp', {
        event: 'Stop',
        session_id: 's1',
        background: [{ id: 't1', type: 'shell', status: 'running' }],
        crons: 2,
      }),
    ).toMatchObject({
      background: [{ id: 't1', type: 'shell', status: 'running' }],
      crons: 2,
    });
  });

  it.each(['stop', 'STOP', 'Stopped', 'agent.end', 'toString', 'a sentence'])(
    'matches names exactly: %s is an unknown event',
    (event) => {
      expect(eventOf('house-agent', { event, session_id: 's1' })).toMatchObject({
        event: 'Other',
        native: event.includes(' ') ? 'other' : event,
      });
    },
  );

  it("can't say that it came in an envelope, for which provider, or a signal beside an event", () => {
    expect(
      eventOf('claude', {
        event: 'Stop',
        session_id: 's1',
        enveloped: true,
        provider: 'codex',
        signal: 'done',
      }),
    ).toEqual({
      v: 1,
      event: 'Stop',
      provider: 'claude',
      session_id: 's1',
      host: 'studio',
    });
  });

  it('keeps a title only when asked to', () => {
    const payload = { event: 'SessionStart', session_id: 's1', title: 'checkout' };
    expect(eventOf('claude', payload)).not.toHaveProperty('title');
    expect(eventOf('claude', payload, { titles: true }).title).toBe('checkout');
  });
});

describe("an agent's own payload without an adapter of its own", () => {
  it('is read by the names that the agents share', () => {
    const payload = {
      hook_event_name: 'PreToolUse',
      session_id: 'q1',
      tool_name: 'run',
      tool_input: { a: 1 },
      id: 'x',
      call: 'x',
      sent_at: 1,
    };
    expect(eventOf('house-agent', payload)).toEqual({
      v: 1,
      event: 'PreToolUse',
      provider: 'house-agent',
      session_id: 'q1',
      host: 'studio',
      tool: 'run',
      digest: digestOf('{"a":1}'),
    });
  });

  it('changes nothing when its event is not one of ours', () => {
    expect(eventOf('house-agent', { hook_event_name: 'BeforeTool', session_id: 'g1' })).toMatchObject({
      event: 'Other',
      native: 'BeforeTool',
    });
  });

  it('or says one of ours in the form of an agent whose own names are others', () => {
    expect(
      eventOf('gemini', { hook_event_name: 'PermissionRequest', session_id: 'g1', tool_name: 'x' }),
    ).toEqual({
      v: 1,
      event: 'PermissionRequest',
      provider: 'gemini',
      session_id: 'g1',
      host: 'studio',
      tool: 'x',
    });
  });
});

describe('a raw signal', () => {
  it.each(SIGNAL_NAMES)('%s is known', (signal) => {
    expect(eventOf('codex', { signal })).toEqual({
      v: 1,
      event: 'Signal',
      provider: 'codex',
      host: 'studio',
      signal,
    });
  });

  it('may belong to a session, by id or by folder', () => {
    expect(eventOf('codex', { signal: 'done', session_id: 's1' }).session_id).toBe('s1');
    expect(eventOf('codex', { signal: 'done', cwd: '/a' }).session_id).toBe(
      derivedSession('codex', 'studio', '/a'),
    );
    expect(eventOf('codex', { event: 'Signal', signal: 'done', session_id: 's1' })).toMatchObject({
      event: 'Signal',
      signal: 'done',
    });
  });

  it('may be for every provider, but then for no session', () => {
    expect(eventOf('ALL', { signal: 'paused' })).toEqual({
      v: 1,
      event: 'Signal',
      provider: 'all',
      host: 'studio',
      signal: 'paused',
    });
    for (const payload of [{ signal: 'paused', session_id: 's1' }, { signal: 'paused', cwd: '/a' }, STOP]) {
      expect(adapted('all', payload)).toMatchObject({
        code: 'unknown_provider',
        params: { provider: 'all' },
      });
    }
    expect(adapted('all', { event: 'Stop' })).toMatchObject({ code: 'no_identity' });
  });

  it.each([
    ['Done', 'Done'],
    ['please stop', 'other'],
    ['', ''],
    [5, ''],
    [null, ''],
    ['constructor', 'constructor'],
  ])('%j is refused', (signal, told) => {
    expect(adapted('codex', { signal })).toEqual({
      ok: false,
      code: 'unknown_signal',
      params: { signal: told, known: SIGNAL_NAMES.join(', ') },
    });
  });

  it('needs its name', () =>
    expect(adapted('codex', { event: 'Signal' })).toMatchObject({ code: 'unknown_signal' }));
});

describe('an event that was cut down elsewhere', () => {
  const full: CanonicalEvent = {
    v: 1,
    event: 'PermissionRequest',
    provider: 'codex',
    session_id: 's1',
    cwd: '/a',
    host: 'laptop',
    id: 'i1',
    sent_at: RECEIVED - 1,
    transcript: '/t',
    prompt_id: 'p1',
    tool: 'Bash',
    digest: '0123456789abcdef',
    permission_mode: 'default',
    ppid: 12,
    enveloped: true,
    ssh: true,
  };

  it('passes as itself, its digest opaque', () => expect(eventOf('codex', full)).toEqual(full));

  it('is refused on the topic of another provider', () => {
    expect(adapted('claude', full)).toEqual({
      ok: false,
      code: 'bad_shape',
      params: { field: 'provider', expected: '"claude", as the topic says' },
    });
  });

  it('loses what a newer sender added, and nothing else', () => {
    expect(eventOf('codex', { ...full, prompt: 'secret', later: { a: 1 } })).toEqual(full);
  });

  it('may be an unknown event or a raw signal', () => {
    const other = { v: 1, event: 'Other', native: 'X', provider: 'codex', session_id: 's1', host: 'laptop' };
    expect(eventOf('codex', other)).toEqual(other);
    const signal = { v: 1, event: 'Signal', signal: 'stale', provider: 'all', host: 'laptop' };
    expect(eventOf('all', signal)).toEqual(signal);
  });

  it('loses its title where titles are not kept', () => {
    expect(eventOf('codex', { ...full, title: 'checkout' })).toEqual(full);
    expect(eventOf('codex', { ...full, title: 'checkout' }, { titles: true })).toEqual({
      ...full,
      title: 'checkout',
    });
  });
});
