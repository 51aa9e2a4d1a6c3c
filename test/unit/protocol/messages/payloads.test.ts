import { describe, expect, it } from 'vitest';
import {
  attentionBody,
  envelopeEnv,
  handWrittenEvent,
  hookEnvelope,
  rawSignal,
} from '../../../../protocol/messages/hook.ts';
import type { Payloads } from '../../../../protocol/messages/payloads.ts';
import { isTextPayload, PAYLOADS, TEXT_PAYLOADS } from '../../../../protocol/messages/payloads.ts';
import { COMMANDS, isCommand } from '../../../../protocol/messages/request.ts';
import { createTopics, TOPIC_NAMES } from '../../../../protocol/topics.ts';
import { EXAMPLES } from './examples.ts';

const session = EXAMPLES.session;
const health = EXAMPLES.hubHealth;
const evidence = { v: 1, host: 'desk', provider: 'claude', session_id: 's1', source: 'session-file', at: 1 };
const job = EXAMPLES.job;

/** Payloads that a schema must refuse. */
const REFUSED: readonly [keyof Payloads, string, unknown][] = [
  [
    'signalUsage',
    'more than 100 %',
    { v: 1, windows: [{ label: '5h', pct: 101, resets_in_sec: 1, duration_sec: 2 }], updated_at: 1 },
  ],
  [
    'signalUsage',
    'a window without its reset',
    { v: 1, windows: [{ label: '5h', pct: 1, duration_sec: 2 }], updated_at: 1 },
  ],
  ['usage', 'no windows', {}],
  ['usage', 'a window without a label', { windows: [{ label: '', pct: 1 }] }],
  ['usage', 'a percentage that is text', { windows: [{ label: '5h', pct: '42' }] }],
  ['usage', 'too many windows', { windows: Array.from({ length: 17 }, () => ({ label: 'x', pct: 1 })) }],
  ['signalEvent', 'an unknown type', { ...EXAMPLES.signalEvent, event_type: 'stopped' }],
  ['signalEvent', 'a session that is no key', { ...EXAMPLES.signalEvent, session: 'web-shop' }],
  ['lamp', 'an attention state', 'running'],
  ['lampAll', 'JSON text', '"ready"'],
  ['line', 'two lines', 'a\nb'],
  ['line', 'the line separator', 'a\u2028b'],
  ['line', '65 bytes', 'é'.repeat(32) + 'a'],
  ['session', 'a key too many', { ...session, prompt: 'secret' }],
  [
    'session',
    'an attention with its input',
    { ...session, attentions: [{ ...session.attentions[0], input: {} }] },
  ],
  ['session', 'a provider called all', { ...session, provider: 'all' }],
  ['session', 'cwd undefined instead of left out', { ...session, cwd: undefined }],
  ['session', 'a long title', { ...session, title: 'x'.repeat(81) }],
  ['hubState', 'goodbye', 'goodbye'],
  ['hubInfo', 'a key too many', { ...EXAMPLES.hubInfo, password: 'x' }],
  ['hubHealth', 'a counter too many', { ...health, events: { ...health.events, odd: 1 } }],
  ['hubHealth', 'a phantom provider', { ...health, providers: { Claude: { accepted: 1, refused: 0 } } }],
  ['reject', 'the payload', { ...EXAMPLES.reject, payload: '{}' }],
  ['reject', 'a code that is not in the catalogue', { ...EXAMPLES.reject, code: 'toString' }],
  ['reject', 'a code that is no text', { ...EXAMPLES.reject, code: 7 }],
  ['hostState', 'an unknown word', 'away'],
  ['evidence', 'an unknown kind', { ...evidence, kind: 'guess' }],
  ['evidence', 'an unknown status', { ...evidence, kind: 'status', status: 'thinking' }],
  ['evidence', 'text of a transcript', { ...evidence, kind: 'interrupted', text: 'secret' }],
  ['evidence', 'a process without a pid', { ...evidence, kind: 'process', alive: 'gone' }],
  ['deviceState', 'an unknown word', 'on'],
  ['deviceInfo', 'no board', { firmware: '1' }],
  ['deviceEvent', 'an unknown action', { ...EXAMPLES.deviceEvent, action: 'clear' }],
  ['deviceSet', 'more than full brightness', { v: 1, brightness: 101 }],
  ['deviceSet', 'a night at 24:00', { v: 1, night: { from: '24:00', to: '07:00', brightness: 20 } }],
  ['deviceSet', 'an image without its digest', { v: 1, ota: { url: 'https://example.com/a.bin' } }],
  ['job', 'the launch token', { ...job, token: 'x' }],
  ['job', 'an unknown reason to wait', { ...job, blocked_on: 'coffee' }],
  ['jobEndpoint', 'pid 0', { ...EXAMPLES.jobEndpoint, pid: 0 }],
  ['jobReply', 'no text', { text: '', transaction: 't' }],
  ['request', 'no transaction', { provider: 'claude' }],
  ['request', 'no minutes at all', { transaction: 't', minutes: 0 }],
  ['request', 'a month', { transaction: 't', minutes: 60 * 24 * 31 }],
  ['response', 'an error without its code', { transaction: 't', ok: false, error: { message: 'm' } }],
  ['response', 'data and an error', { transaction: 't', ok: true, error: { code: 'c', message: 'm' } }],
  ['hook', 'a list', []],
  ['hook', 'text', 'Stop'],
];

describe('payloads', () => {
  it('has a schema and an example for every topic', () => {
    expect(Object.keys(PAYLOADS).toSorted()).toEqual([...TOPIC_NAMES].toSorted());
    expect(Object.keys(EXAMPLES).toSorted()).toEqual([...TOPIC_NAMES].toSorted());
  });

  it.each(TOPIC_NAMES)('%s: the example passes unchanged', (name) => {
    expect(PAYLOADS[name].parse(EXAMPLES[name])).toStrictEqual(EXAMPLES[name]);
  });

  it.each(REFUSED)('%s: %s is refused', (name, _what, payload) => {
    expect(PAYLOADS[name].safeParse(payload).success).toBe(false);
  });

  it.each(TOPIC_NAMES)('%s: text rows are told apart from JSON rows', (name) => {
    expect(isTextPayload(name)).toBe(typeof EXAMPLES[name] === 'string');
    expect((TEXT_PAYLOADS as readonly string[]).includes(name)).toBe(isTextPayload(name));
  });

  it.each([
    ['deviceInfo', { ...EXAMPLES.deviceInfo, wifi: 'home' }],
    ['deviceEvent', { ...EXAMPLES.deviceEvent, held_ms: 40 }],
    ['jobReply', { ...EXAMPLES.jobReply, from: 'phone' }],
    ['request', { ...EXAMPLES.request, source: 'blueprint' }],
    ['usage', { windows: EXAMPLES.usage.windows, source: 'codexbar' }],
  ] as const)('%s: a stranger may send more than we read', (name, payload) => {
    expect(PAYLOADS[name].parse(payload)).toStrictEqual(EXAMPLES[name]);
  });

  it('tells every kind of evidence apart', () => {
    for (const kind of [
      { kind: 'status', status: 'waiting', waiting_for: 'permission prompt', pid: 7 },
      { kind: 'removed' },
      { kind: 'process', alive: 'gone', pid: 7, started: '123' },
      { kind: 'interrupted' },
      { kind: 'turn_end', failed: true, reason: 'rate_limit' },
      { kind: 'answered', request: 'r1' },
      { kind: 'plan' },
      { kind: 'reviewer', reviewer: 'model' },
    ]) {
      expect(PAYLOADS.evidence.parse({ ...evidence, ...kind })).toStrictEqual({ ...evidence, ...kind });
    }
  });
});

describe('what a script may send', () => {
  it('puts a window right', () => {
    expect(
      PAYLOADS.usage.parse({
        windows: [
          { label: 'weekly', pct: 120, resets_in_sec: 3600.4, duration_sec: null },
          { label: 'five hours and a good deal more than that', pct: -1 },
        ],
      }),
    ).toStrictEqual({
      windows: [
        { label: 'weekly', pct: 100, resets_in_sec: 3600, duration_sec: null },
        { label: 'five hours and a good deal mo…', pct: 0, resets_in_sec: null, duration_sec: null },
      ],
    });
  });

  it.each([
    [
      "an event by a provider's name",
      { provider: 'Claude', event: 'Stop', session_id: 's1', tool: 'Bash' },
      true,
    ],
    ['a signal for every provider', { signal: 'paused' }, true],
    ['a signal for one', { provider: 'codex', signal: 'attention', cwd: '/w' }, true],
    ['an event without a provider', { event: 'Stop', session_id: 's1' }, false],
    ['an unknown event', { provider: 'claude', event: 'Party', session_id: 's1' }, false],
    ['an unknown signal', { provider: 'claude', signal: 'party' }, false],
  ])('POST /attention takes %s: %j -> %s', (_what, body, taken) => {
    expect(attentionBody.safeParse(body).success).toBe(taken);
  });

  it('keeps what it does not know of a hand-written event or signal', () => {
    expect(handWrittenEvent.parse({ event: 'Stop', cwd: '/w', mood: 'good' })).toHaveProperty('mood', 'good');
    expect(rawSignal.parse({ signal: 'done', mood: 'good' })).toHaveProperty('mood', 'good');
  });

  it("reads a sender's envelope and leaves out what a sender must not send", () => {
    const env = { TERM_PROGRAM: 'vscode', SSH_CONNECTION: true };
    expect(envelopeEnv.parse({ ...env, HOME: '/home/me' })).toStrictEqual(env);
    expect(hookEnvelope.parse({ v: 1, id: 'a', hook: { hook_event_name: 'Stop' }, env })).toHaveProperty(
      'env',
      env,
    );
    expect(hookEnvelope.safeParse({ v: 1, id: 'a' }).success).toBe(false);
    expect(hookEnvelope.safeParse({ v: 1, id: 'a', hook: [] }).success).toBe(false);
  });
});

describe('commands', () => {
  it.each(COMMANDS)('%s fits its topics', (command) => {
    expect(isCommand(command)).toBe(true);
    const topics = createTopics();
    expect(topics.parse(topics.build('request', { command }))).toEqual({
      name: 'request',
      params: { command },
    });
  });

  it.each(['', 'Pause', 'toString', 'reboot'])('%j is none', (text) => {
    expect(isCommand(text)).toBe(false);
  });
});
