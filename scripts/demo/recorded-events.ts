import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { CanonicalEvent } from '../../protocol/events.ts';
import { createProviderRegistry } from '../../protocol/providers.ts';
import { readRecording, recordedEvent } from '../../protocol/sources/recording.ts';

const RECORDINGS = 'test/fixtures/recordings';

/** The recordings that the demo's agents play: the package has none of the fixtures, so what it needs of them is cut out and shipped as code. */
const PLAYED = [
  'claude-code-2.1.332/perm_approve',
  'claude-code-2.1.332/err_e429',
  'claude-code-2.1.332/ask_answered',
  'claude-code-2.1.332/bgbash',
  'codex-0.171.0/perm_approve',
  'codex-0.171.0/esc_tool',
] as const;

/** Fields that say what happened; who and where is the demo's own, and when is now. */
const KEPT = [
  'event',
  'prompt_id',
  'call',
  'tool',
  'digest',
  'permission_mode',
  'entrypoint',
  'notification',
  'error',
  'source',
  'background',
  'crons',
  'calls',
  'own_prompt',
] as const satisfies readonly (keyof CanonicalEvent)[];

/** cli/demo/recorded-events.ts: each recording's events after the real adapters, one JSON object a line, in the order in which they came. */
export function demoRecordings(): string {
  const recordings = PLAYED.map((name) => `  '${name}': \`\n${eventsOf(name).join('\n')}\n\`,\n`);
  return `/**
 * What real clients told their hooks, cut down to an allow-list (spec: agents, section 1). Generated from ${RECORDINGS} by \`npm run generate\`.
 */
export const RECORDED_EVENTS = {
${recordings.join('')}} as const;
`;
}

function eventsOf(name: string): string[] {
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
  const context = {
    registry: createProviderRegistry(),
    // What matters is that a request and its answer have the same digest; nobody's input stands behind it.
    hasher: { hmac: (text: string) => sha256(text).slice(0, 16), sha256 },
    host: 'demo',
    questions: true,
    titles: false,
  };
  return readRecording(readFileSync(`${RECORDINGS}/${name}.jsonl`, 'utf8')).flatMap((line) => {
    if (line.argv === undefined) return [];
    const event = recordedEvent(line, line.receivedAtMs ?? 0, context);
    // `notify` tells of the client's own threads too, and what is `Other` changes nothing.
    if (event === undefined || event.event === 'Other' || event.notify === true) return [];
    return [JSON.stringify(Object.fromEntries(KEPT.map((field) => [field, event[field]])))];
  });
}
