import { describe, expect, it } from 'vitest';
import { adapt } from '../../../../protocol/adapters/adapt.ts';
import { adapted, CONTEXT, derivedSession, eventOf, RECEIVED } from '../../../support/adapting.ts';

const STOP = { hook_event_name: 'Stop', session_id: 's1', cwd: '/home/dev/shop' };
const CANONICAL_STOP = {
  v: 1,
  event: 'Stop',
  provider: 'claude',
  session_id: 's1',
  cwd: '/home/dev/shop',
  host: 'studio',
};

describe('provider', () => {
  it.each(['claude', 'Claude', 'CLAUDE', 'house-agent', 'House Agent'])(
    'is found in any case: %s',
    (name) => {
      expect(eventOf(name, STOP).provider).toBe(name.toLowerCase().replace(' ', '-'));
    },
  );

  it.each(['', 'nobody', 'claude2', '__proto__', '+', 'x'.repeat(500)])(
    'is refused when nobody is called so: %s',
    (name) => {
      const result = adapted(name, STOP);
      expect(result).toMatchObject({
        ok: false,
        code: 'unknown_provider',
        params: { provider: name.slice(0, 32) },
      });
      expect(result).toHaveProperty('params.known', expect.stringContaining('claude, codex'));
    },
  );
});

describe('JSON', () => {
  it.each(['', ' ', 'null', 'true', '1', '"Stop"', '[]', '[{}]', '{', '{"a":}', 'Stop', '\0', '\ufeff'])(
    'that is not one object is refused: %j',
    (text) => expect(adapted('claude', text)).toEqual({ ok: false, code: 'bad_json', params: {} }),
  );

  it('may begin with a byte order mark, and end with a new line', () => {
    expect(eventOf('cursor', `\ufeff${JSON.stringify(STOP)}\n`)).toMatchObject({
      event: 'Stop',
      session_id: 's1',
    });
  });

  it('may be 64 levels deep and no deeper', () => {
    const deep = (levels: number): string => {
      const response = '['.repeat(levels - 1) + ']'.repeat(levels - 1);
      return `{"hook_event_name":"PostToolUse","session_id":"s1","tool_response":${response}}`;
    };
    expect(eventOf('claude', deep(64)).event).toBe('PostToolUse');
    expect(adapted('claude', deep(65))).toEqual({ ok: false, code: 'too_deep', params: { limit: 64 } });
    expect(adapted('claude', deep(1_000_000))).toMatchObject({ code: 'too_deep' });
    expect(adapted('claude', '['.repeat(1_000_000))).toMatchObject({ code: 'too_deep' });
  });

  it('may be large', () => {
    const payload = {
      hook_event_name: 'PostToolUse',
      session_id: 's1',
      tool_response: 'x'.repeat(2_000_000),
    };
    expect(eventOf('claude', payload)).toEqual({
      v: 1,
      provider: 'claude',
      host: 'studio',
      event: 'PostToolUse',
      session_id: 's1',
    });
  });

  it('with a key twice means the last', () => {
    expect(eventOf('claude', '{"hook_event_name":"Stop","session_id":"a","session_id":"b"}').session_id).toBe(
      'b',
    );
  });

  it('with a prototype changes no prototype', () => {
    const text = '{"__proto__":{"session_id":"evil","ssh":true},"hook_event_name":"Stop","cwd":"/a"}';
    expect(eventOf('claude', text).session_id).toBe(derivedSession('claude', 'studio', '/a'));
    expect({}).not.toHaveProperty('session_id');
  });
});

describe('event name', () => {
  it.each([
    {},
    { event: '' },
    { event: 5, session_id: 's1' },
    { hook_event_name: null, session_id: 's1' },
    { type: 'session.idle' },
  ])('is needed: %j', (payload) =>
    expect(adapted('opencode', payload)).toEqual({ ok: false, code: 'unknown_event', params: {} }),
  );

  it("is the agent's own before an event field of another meaning", () => {
    expect(
      eventOf('claude', { ...STOP, hook_event_name: 'FileChanged', event: 'Stop', signal: 'done' }),
    ).toMatchObject({
      event: 'Other',
      native: 'FileChanged',
    });
  });
});

describe('identity', () => {
  it('is derived of provider, host and cwd without a session_id', () => {
    const event = eventOf('claude', { hook_event_name: 'Stop', cwd: '/home/dev/shop' });
    expect(event.session_id).toBe(derivedSession('claude', 'studio', '/home/dev/shop'));
    expect(event.session_id).toMatch(/^cwd-[0-9a-f]{16}$/);
    expect(eventOf('codex', { hook_event_name: 'Stop', cwd: '/home/dev/shop' }).session_id).not.toBe(
      event.session_id,
    );
    expect(eventOf('claude', { event: 'Stop', cwd: '/home/dev/shop', host: 'laptop' }).session_id).toBe(
      derivedSession('claude', 'laptop', '/home/dev/shop'),
    );
  });

  it.each([42, null, ['s1'], { id: 's1' }, '', '\0\u001b', true])(
    'a session_id that is none counts as missing: %j',
    (session_id) => {
      expect(eventOf('claude', { hook_event_name: 'Stop', session_id, cwd: '/a' }).session_id).toMatch(
        /^cwd-/,
      );
      expect(adapted('claude', { hook_event_name: 'Stop', session_id })).toEqual({
        ok: false,
        code: 'no_identity',
        params: {},
      });
    },
  );

  it('is refused when a session_id is only inside the input of a tool', () => {
    const payload = { hook_event_name: 'PreToolUse', tool_input: { session_id: 's1', cwd: '/a' } };
    expect(adapted('claude', payload)).toMatchObject({ code: 'no_identity' });
    expect(adapted('claude', { event: 'Stop', payload: { session_id: 's1' } })).toMatchObject({
      code: 'no_identity',
    });
  });

  it('has no control characters, no half characters and an end', () => {
    const event = eventOf('claude', {
      ...STOP,
      session_id: `a\0b\u001b[31m\u202e${'é🙂'.repeat(200)}`,
      cwd: '\ud83d/a',
    });
    expect(event.session_id).toMatch(/^ab\[31m/);
    expect(event.session_id?.length).toBeLessThanOrEqual(200);
    expect(event.session_id?.isWellFormed()).toBe(true);
    expect(event.cwd).toBe('\ufffd/a');
  });
});

describe('optional fields', () => {
  it('are left out when they are not what they should be', () => {
    const event = eventOf('claude', {
      ...STOP,
      cwd: { path: '/a' },
      transcript_path: 5,
      permission_mode: ['default'],
      background_tasks: { id: 't1' },
      session_crons: 3,
      agent_id: false,
      prompt_id: {},
    });
    expect(event).toEqual({ v: 1, provider: 'claude', host: 'studio', event: 'Stop', session_id: 's1' });
  });

  it('are cut to one word where somebody wrote a sentence', () => {
    expect(eventOf('claude', { ...STOP, permission_mode: 'please ask me' }).permission_mode).toBe('other');
  });

  it('of background work are only id, type and status, of 64 pieces', () => {
    const piece = { id: 't1', type: 'shell', status: 'very busy', command: 'npm test', extra: 1 };
    const event = eventOf('claude', {
      ...STOP,
      background_tasks: [...Array.from({ length: 100 }, () => piece), 'x', null],
    });
    expect(event.background).toEqual(
      Array.from({ length: 64 }, () => ({ id: 't1', type: 'shell', status: 'other' })),
    );
  });

  it('may be five hundred nobody knows', () => {
    const odd = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => ['🙂'.repeat(index + 1), index]),
    );
    expect(eventOf('claude', { ...odd, ...STOP })).toEqual(CANONICAL_STOP);
  });
});

describe('adapt', () => {
  it('gives each field in the order of the table, so that the same event is the same text', () => {
    const a = adapt({ provider: 'claude', payload: JSON.stringify(STOP), received: RECEIVED }, CONTEXT);
    const b = adapt(
      { provider: 'claude', payload: JSON.stringify(CANONICAL_STOP), received: RECEIVED },
      CONTEXT,
    );
    expect(JSON.stringify(a)).toBe(JSON.stringify(b));
  });
});
