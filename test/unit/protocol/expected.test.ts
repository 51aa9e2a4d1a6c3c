import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SessionTable } from '../../../protocol/table.ts';
import { CONTEXT } from '../../support/adapting.ts';
import { adapt } from '../../../protocol/adapters/adapt.ts';
import { T0, tableOptions } from '../../support/driving.ts';

interface Expected {
  readonly state: string;
  readonly lamp: string;
  readonly kind?: string;
}

const PAYLOADS = new URL('../../fixtures/payloads/', import.meta.url);
const EXPECTED = JSON.parse(readFileSync(new URL('expected.json', PAYLOADS), 'utf8')) as Record<
  string,
  Expected
>;
const AGENTS = ['claude', 'codex', 'codex-notify', 'gemini', 'cursor', 'codebuddy', 'qwen'];
const rows = Object.entries(EXPECTED).filter(([file]) => AGENTS.includes(file.split('/')[0] ?? ''));

/** Names of the events that begin a session, and of those that a typed prompt brings. */
const STARTS = new Set(['SessionStart', 'sessionStart']);
const PROMPTS = new Set(['UserPromptSubmit', 'BeforeAgent', 'beforeSubmitPrompt']);

/** What agents call a session, and a prompt or turn. */
const SESSION_IDS = ['session_id', 'thread-id', 'conversation_id'];
const PROMPT_IDS = ['prompt_id', 'turn_id', 'turn-id', 'generation_id'];

function idOf(own: Record<string, unknown>, names: readonly string[]): unknown {
  return names.map((name) => own[name]).find((id) => id !== undefined);
}

/** The provider's topic level of a folder of payloads. */
function providerOf(file: string): string {
  return (file.split('/')[0] ?? '').replace('-notify', '');
}

/** What the session is after a payload, and what it was before. */
function outcomes(file: string) {
  const provider = providerOf(file);
  const payload = readFileSync(new URL(file, PAYLOADS), 'utf8');
  const own = JSON.parse(payload) as Record<string, unknown>;
  const name = String(own['hook_event_name']);
  const session_id = idOf(own, SESSION_IDS);
  const table = new SessionTable(tableOptions());
  const give = (text: string, now: number) => {
    const adapted = adapt({ provider, payload: text, received: now }, CONTEXT);
    if (!adapted.ok) throw new Error(adapted.code);
    table.advance(now);
    table.apply(adapted.event, { now, live: true });
  };
  const hook = (event: string, more: object) =>
    JSON.stringify({ event, session_id, cwd: '/home/dev/shop', ...more });
  const shown = () => {
    const [session] = table.sessions();
    return {
      state: session?.state,
      lamp: session?.lamp,
      kinds: session?.attentions.map((open) => open.kind) ?? [],
    };
  };

  if (!STARTS.has(name) || own['source'] === 'compact') {
    give(hook('SessionStart', { source: 'startup' }), T0);
    // Another prompt than the payload's, where the payload is a prompt itself; the same turn otherwise.
    const ids = PROMPTS.has(name) ? {} : { prompt_id: idOf(own, PROMPT_IDS) };
    give(hook('UserPromptSubmit', ids), T0 + 1_000);
  }
  const before = shown();
  // A notification comes some 6 s after what it confirms.
  give(payload, T0 + (name === 'Notification' ? 7_000 : 2_000));
  return { before, after: shown() };
}

describe('example payloads', () => {
  it('every payload has its row', () => {
    expect(rows.length).toBeGreaterThan(120);
  });

  it.each(rows)('%s', (file, expected) => {
    const { before, after } = outcomes(file);
    expect(after.state).toBe(expected.state === 'unchanged' ? before.state : expected.state);
    expect(after.lamp).toBe(expected.lamp === 'unchanged' ? before.lamp : expected.lamp);
    expect(after.kinds).toEqual(expected.kind === undefined ? [] : [expected.kind]);
  });
});
