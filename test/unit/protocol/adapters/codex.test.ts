import { describe, expect, it } from 'vitest';
import { CODEX_EVENTS } from '../../../../protocol/adapters/codex.ts';
import type { CanonicalEvent } from '../../../../protocol/events.ts';
import { adapted, digestOf, eventOf, fixture, fixtureNames } from '../../../support/adapting.ts';

type Expected = Partial<CanonicalEvent> & Pick<CanonicalEvent, 'event'>;

const SESSION = '0199c0de-0000-7000-8000-00000000a001';
const BASE: Partial<CanonicalEvent> = { v: 1, provider: 'codex', host: 'studio', session_id: SESSION };
const HOOK: Partial<CanonicalEvent> = {
  ...BASE,
  cwd: '/home/dev/shop',
  transcript: `/home/dev/.codex/sessions/2026/09/21/rollout-2026-09-21T09-15-00-${SESSION}.jsonl`,
};
const TURN = { prompt_id: '0199c0de-0000-7000-8000-00000000b001' };
const DEFAULT = { ...TURN, permission_mode: 'default' };
const EXPLORER = { agent_id: '0199c0de-0000-7000-8000-00000000c001', agent_type: 'explorer' };

/** Each hook payload and all that may be left of it. */
const HOOKS: Readonly<Record<string, Expected>> = {
  Interrupt: { event: 'Interrupt', ...DEFAULT },
  PermissionRequest: {
    event: 'PermissionRequest',
    ...DEFAULT,
    tool: 'Bash',
    digest: digestOf('{"command":"curl https://example.com"}'),
  },
  PostCompact: { event: 'PostCompact', ...DEFAULT, trigger: 'auto' },
  PostToolUse: {
    event: 'PostToolUse',
    ...DEFAULT,
    tool: 'Bash',
    call: 'call_SYNTH01',
    digest: digestOf('{"command":"npm test"}'),
  },
  PreCompact: { event: 'PreCompact', ...DEFAULT, trigger: 'auto' },
  'PreToolUse-Bash': {
    event: 'PreToolUse',
    ...DEFAULT,
    tool: 'Bash',
    call: 'call_SYNTH01',
    digest: digestOf('{"command":"npm test"}'),
  },
  'PreToolUse-apply_patch': {
    event: 'PreToolUse',
    ...DEFAULT,
    tool: 'apply_patch',
    call: 'call_SYNTH02',
    digest: digestOf(String.raw`{"command":"*** Begin Patch\n*** End Patch"}`),
  },
  SessionEnd: { event: 'SessionEnd', reason: 'other' },
  'SessionStart-compact': { event: 'SessionStart', permission_mode: 'default', source: 'compact' },
  'SessionStart-startup': { event: 'SessionStart', permission_mode: 'default', source: 'startup' },
  Stop: { event: 'Stop', ...DEFAULT },
  'Stop-null-message': { event: 'Stop', ...DEFAULT },
  SubagentStart: { event: 'SubagentStart', ...DEFAULT, ...EXPLORER },
  SubagentStop: { event: 'SubagentStop', ...DEFAULT, ...EXPLORER },
  UserPromptSubmit: { event: 'UserPromptSubmit', ...DEFAULT },
};

/** The same for what `notify` gets. */
const NOTIFY: Readonly<Record<string, Expected>> = {
  'agent-turn-complete': {
    event: 'Stop',
    native: 'agent-turn-complete',
    notify: true,
    ...TURN,
    cwd: '/home/dev/shop',
  },
  'agent-turn-complete-minimal': {
    event: 'Stop',
    native: 'agent-turn-complete',
    notify: true,
    ...TURN,
    cwd: '/home/dev/shop',
  },
  'unknown-type': { event: 'Other', native: 'some-future-type', notify: true },
};

const named = (event: string, fields: object = {}): object => ({
  hook_event_name: event,
  session_id: 's1',
  ...fields,
});

describe("Codex' adapter", () => {
  it('has a row for every example payload', () => {
    expect(Object.keys(HOOKS).sort()).toEqual(fixtureNames('codex'));
    expect(Object.keys(NOTIFY).sort()).toEqual(fixtureNames('codex-notify'));
  });

  it.each(Object.entries(HOOKS))('%s leaves exactly the fields that are allowed', (name, expected) => {
    expect(eventOf('codex', fixture('codex', name))).toEqual({ ...HOOK, ...expected });
  });

  it.each(Object.entries(NOTIFY))(
    'notify: %s leaves exactly the fields that are allowed',
    (name, expected) => {
      expect(eventOf('codex', fixture('codex-notify', name))).toEqual({ ...BASE, ...expected });
    },
  );

  it.each([...CODEX_EVENTS])('knows %s, as %s', (name, event) => {
    expect(eventOf('codex', named(name)).event).toBe(event);
  });

  it('logs a model request as an event that changes nothing', () => {
    expect(eventOf('codex', named('PreModelRequest', { kind: 'x', thread_id: 's1', turn_id: 't1' }))).toEqual(
      {
        ...BASE,
        event: 'Other',
        native: 'PreModelRequest',
        session_id: 's1',
        prompt_id: 't1',
      },
    );
  });

  it('gives a request and its call the same digest, although the request adds a description', () => {
    const tool = { tool_name: 'Bash', tool_input: { command: 'touch a' } };
    const asked = { ...tool, tool_input: { command: 'touch a', description: 'May I?' } };
    const request = eventOf('codex', named('PermissionRequest', asked));
    expect(request.digest).toBe(eventOf('codex', named('PreToolUse', tool)).digest);
    expect(request.digest).not.toBe(
      eventOf('codex', named('PreToolUse', { tool_input: { command: 'touch b' } })).digest,
    );
  });

  it.each([
    ['without a command', { questions: [{ id: 'q1' }] }, '{"questions":[{"id":"q1"}]}'],
    ['that is text', 'ls', '"ls"'],
  ])('takes the digest of the whole input %s', (_name, tool_input, json) => {
    expect(eventOf('codex', named('PreToolUse', { tool_input })).digest).toBe(digestOf(json));
  });

  it('reads the last message for a question, of a hook and of notify', () => {
    const asking = { last_assistant_message: 'Should I commit?' };
    expect(eventOf('codex', named('Stop', asking)).question).toBe(true);
    const notify = {
      type: 'agent-turn-complete',
      'thread-id': 's1',
      'last-assistant-message': 'Should I commit?',
    };
    expect(eventOf('codex', notify).question).toBe(true);
    expect(eventOf('codex', notify, { questions: false }).question).toBeUndefined();
    expect(eventOf('codex', notify)).not.toHaveProperty('title');
  });

  it('takes a hook that has a type for a hook', () => {
    expect(eventOf('codex', named('Stop', { type: 'agent-turn-complete' }))).not.toHaveProperty('notify');
  });

  it("knows notify's form for Codex alone", () => {
    expect(adapted('claude', { type: 'agent-turn-complete', 'thread-id': 's1' })).toMatchObject({
      code: 'unknown_event',
    });
  });
});
