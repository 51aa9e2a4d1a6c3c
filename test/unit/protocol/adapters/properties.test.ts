import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EVENT_FIELDS, isCanonicalEvent } from '../../../../protocol/event-fields.ts';
import { EVENT_NAMES, SIGNAL_NAMES } from '../../../../protocol/events.ts';
import { nativeAdapter } from '../../../../protocol/adapters/native.ts';
import { BUILT_IN_PROVIDERS } from '../../../../protocol/providers.ts';
import { adapted } from '../../../support/adapting.ts';

const provider = fc.constantFrom('all', 'nobody', ...BUILT_IN_PROVIDERS.map((known) => known.slug));
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.constantFrom('s1', '/a'),
);
const anything = fc.oneof(text, fc.jsonValue(), fc.nat(), fc.boolean());

const FIELD_NAMES = [
  ...Object.keys(EVENT_FIELDS),
  ...[
    'transcript_path',
    'turn_id',
    'tool_name',
    'tool_input',
    'tool_use_id',
    'tool_calls',
    'notification_type',
    'background_tasks',
  ],
  ...[
    'session_crons',
    'last_assistant_message',
    'prompt',
    'session_title',
    'action',
    'elicitation_id',
    'thread-id',
    'turn-id',
    '__proto__',
  ],
  ...[
    'sessionId',
    'agentId',
    'parentAgentId',
    'toolName',
    'toolArgs',
    'timestamp',
    'recoverable',
    'errorContext',
  ],
  ...['properties', 'sessionID', 'parentID', 'directory', 'callID', 'args', 'status', 'input'],
  // Gemini, Qwen, Cursor
  ...['details', 'prompt_response', 'tool_response', 'submitted_prompt', 'crons', 'conversation_id'],
  ...[
    'generation_id',
    'parent_conversation_id',
    'subagent_id',
    'workspace_roots',
    'status',
    'command',
    'file_path',
  ],
];
/** Every name that any agent's own adapter knows. */
const OWN_NAMES = new Set(BUILT_IN_PROVIDERS.flatMap(({ slug }) => [...nativeAdapter(slug).events.keys()]));
const names = fc.constantFrom(...EVENT_NAMES, ...OWN_NAMES, 'Unknown', '__proto__', 'constructor', '');
/** What OpenCode's events hold, with any values. */
const properties = fc.dictionary(
  fc.constantFrom(
    'id',
    'sessionID',
    'requestID',
    'reply',
    'permission',
    'tool',
    'source',
    'status',
    'error',
    'info',
    'toString',
  ),
  fc.oneof(
    anything,
    fc.dictionary(
      fc.constantFrom('type', 'name', 'id', 'parentID', 'directory', 'callID', '__proto__'),
      anything,
    ),
  ),
);
/** A payload that looks like one: known fields, with any values. */
const payload = fc
  .tuple(
    fc.dictionary(fc.constantFrom(...FIELD_NAMES), anything),
    fc.record(
      {
        hook_event_name: names,
        event: names,
        signal: fc.constantFrom(...SIGNAL_NAMES, 'x', 5),
        type: names,
        properties: fc.oneof(anything, properties),
        session_id: anything,
        cwd: anything,
        v: fc.constantFrom(1, 2),
        provider,
      },
      { requiredKeys: [] },
    ),
  )
  .map(([odd, fields]): Record<string, unknown> => ({ ...odd, ...fields }));
const wrapped = fc.record(
  {
    v: fc.constant(1),
    hook: payload,
    id: anything,
    sent_at: anything,
    host: anything,
    ppid: anything,
    env: fc.dictionary(fc.constantFrom('CLAUDE_PID', 'TMUX_PANE'), anything),
    event: names,
  },
  { requiredKeys: ['v', 'hook'] },
);

const CODES = [
  'bad_json',
  'unknown_provider',
  'unknown_event',
  'unknown_signal',
  'no_identity',
  'bad_shape',
  'too_deep',
];

/** What is wrong with the answer to whatever came in: it is a refusal by a code, or a canonical event that is itself when adapted again. */
function wrong(slug: string, sent: unknown): string | undefined {
  const result = adapted(slug, sent);
  if (!result.ok) return CODES.includes(result.code) ? undefined : `refused by ${result.code}`;
  const { event } = result;
  if (!isCanonicalEvent(event)) return `not canonical: ${JSON.stringify(event)}`;
  if (event.host === undefined) return 'no host';
  if ((event.event === 'Signal') !== (event.signal !== undefined))
    return 'a signal is in Signal, and only there';
  if (event.event !== 'Signal' && event.session_id === undefined) return 'no session';
  const again = adapted(event.provider, event);
  return JSON.stringify(again) === JSON.stringify(result) ? undefined : `changed to ${JSON.stringify(again)}`;
}

describe('adapt, for anything at all', () => {
  it('never throws for any text', () => {
    fc.assert(
      fc.property(provider, fc.oneof(text, fc.json()), (slug, sent) => {
        expect(wrong(slug, sent)).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  it('makes a canonical event or a refusal of any payload, and leaves an event that is one as it is', () => {
    fc.assert(
      fc.property(provider, payload, (slug, sent) => {
        expect(wrong(slug, sent)).toBeUndefined();
      }),
      { numRuns: 2000 },
    );
  });

  it('and of any envelope', () => {
    fc.assert(
      fc.property(provider, wrapped, (slug, sent) => {
        expect(wrong(slug, sent)).toBeUndefined();
      }),
      { numRuns: 1000 },
    );
  });

  /** What no agent sends, as JSON. */
  const ODD = [
    'null',
    '-1',
    '1e999',
    'true',
    '""',
    JSON.stringify('x'.repeat(1_000)),
    '[]',
    '[[[]]]',
    '{}',
    '{"type":{"type":"exec"},"command":null,"llmContent":[7]}',
    '{"__proto__":{"type":"exec"},"constructor":{"prototype":{}}}',
    `${'['.repeat(60)}${']'.repeat(60)}`,
  ];
  const FIELDS = FIELD_NAMES.filter((name) => name !== 'event' && name !== 'signal');

  it.each(BUILT_IN_PROVIDERS.map(({ slug }) => slug))('nor do fields of the wrong kind hurt: %s', (slug) => {
    for (const name of [...nativeAdapter(slug).events.keys(), 'SomeFutureEvent']) {
      for (const odd of ODD) {
        const fields = FIELDS.map((field) => `${JSON.stringify(field)}:${odd}`).join();
        for (const ids of ['', ',"session_id":"s1","conversation_id":"c1"']) {
          const sent = `{${fields},"hook_event_name":${JSON.stringify(name)}${ids}}`;
          expect([name, odd.slice(0, 20), wrong(slug, sent)]).toEqual([name, odd.slice(0, 20), undefined]);
        }
      }
    }
  });
});
