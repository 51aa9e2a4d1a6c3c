import { describe, expect, it } from 'vitest';
import { BUILT_IN_PROVIDERS } from '../../../../protocol/providers.ts';
import { adapted, fixture, fixtureNames } from '../../../support/adapting.ts';

/** One sentence that must never come out; as a sentence it can't pass as a word either. */
const CANARY = 'the canary sings';

/**
 * Where text passes by design (spec: agents, section 1): ids, paths, names of tools and agents, the event's name, read at the top level only. Of
 * background work only the id passes.
 */
const PASSES = new Set([
  ...[
    'session_id',
    'cwd',
    'transcript_path',
    'prompt_id',
    'turn_id',
    'agent_id',
    'agent_type',
    'tool_name',
    'tool_use_id',
    'elicitation_id',
  ],
  ...['hook_event_name', 'event', 'tool', 'type', 'thread-id', 'turn-id', 'background_tasks.*.id'],
  ...['sessionId', 'transcriptPath', 'toolName', 'agentId', 'agentType', 'parentAgentId', 'parent_agent_id'],
  ...['id', 'call', 'sessionID', 'callID', 'parentID', 'directory'],
  ...['id', 'sessionID', 'callID', 'requestID', 'permission', 'type', 'tool.callID'].map(
    (name) => `properties.${name}`,
  ),
  ...['id', 'sessionID', 'parentID', 'directory'].map((name) => `properties.info.${name}`),
]);

/** The payload with the canary in every text but those that pass; `name` is the path of a value, a list's index as `*`. */
function planted(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return PASSES.has(name) ? value : CANARY;
  if (Array.isArray(value)) return value.map((entry) => planted(entry, `${name}.*`));
  if (typeof value !== 'object' || value === null) return value;
  const prefix = name === '' ? '' : `${name}.`;
  return Object.fromEntries([
    ...Object.entries(value).map(([key, content]) => [key, planted(content, prefix + key)]),
    [CANARY, CANARY],
  ]);
}

const FOLDERS = [
  'claude',
  'codex',
  'codex-notify',
  'gemini',
  'cursor',
  'copilot',
  'opencode',
  'codebuddy',
  'qwen',
  'amp',
];
const EVERY_FIXTURE = FOLDERS.flatMap((folder) =>
  fixtureNames(folder).map((name): [string, string] => [folder, name]),
);

describe('privacy is an allow-list', () => {
  it.each(EVERY_FIXTURE)('nothing of %s/%s comes out but what is listed, whoever sent it', (folder, name) => {
    const payload = planted(fixture(folder, name));
    expect(JSON.stringify(payload)).toContain(CANARY);
    for (const { slug } of BUILT_IN_PROVIDERS) {
      for (const sent of [payload, { v: 1, hook: payload, env: { SECRET: CANARY }, event: 'Stop' }]) {
        expect(JSON.stringify(adapted(slug, sent))).not.toContain('canary');
      }
    }
  });

  it('a refusal tells nothing of the payload either', () => {
    for (const payload of [
      { signal: CANARY },
      { v: 1, event: 'Stop', provider: CANARY },
      { prompt: CANARY },
      `${CANARY}{`,
    ]) {
      const result = adapted('claude', payload);
      expect(result.ok).toBe(false);
      expect(JSON.stringify(result)).not.toContain('canary');
    }
  });

  it.each([
    'reason',
    'error',
    'source',
    'trigger',
    'permission_mode',
    'notification',
    'outcome',
    'native',
    'entrypoint',
    'term_program',
  ])('a sentence as %s is told as "other"', (field) => {
    const result = adapted('claude', { event: 'Notification', session_id: 's1', [field]: CANARY });
    expect(result).toMatchObject({ ok: true, event: { [field]: 'other' } });
  });
});
