import { describe, expect, it } from 'vitest';
import { BUILT_IN_PROVIDERS } from '../../../../protocol/providers.ts';
import { adapted, fixture, fixtureNames } from '../../../support/adapting.ts';
import { CANARY, planted } from '../../../support/canary.ts';

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
