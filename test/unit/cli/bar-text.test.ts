import { describe, expect, it } from 'vitest';
import { nextMinute } from '../../../cli/status/bar/bar.ts';
import { glyphAndHeadline, nameText } from '../../../cli/status/bar/bar-text.ts';
import type { SignalPayload } from '../../../protocol/messages/signal.ts';
import { barWith, NOW, waitIn } from '../../support/bars/making.ts';
import { signalOf } from '../../support/cli-hub.ts';

const since = (seconds: number): number => NOW / 1000 - seconds;

/** An agent in one project, for an hour. */
function agent(
  name: string,
  lamp: SignalPayload['lamp'],
  more: Partial<SignalPayload['attention']>,
): SignalPayload {
  return signalOf(name, lamp, { count: 1, primary_project: 'web-shop', since: since(3_600), ...more });
}

const failed = agent('Gemini', 'blocked', { state: 'error', reason: 'rate_limit' });
const done = agent('Claude', 'completed', { state: 'done', reason: 'stop', count: 2 });
const running = agent('Claude', 'active', { state: 'running', reason: 'tool_use' });

describe('what a bar says', () => {
  it.each<[string, Record<string, SignalPayload>]>([
    ['∙', { claude: signalOf('Claude') }],
    ['▸ working', { claude: running, codex: signalOf('Codex') }],
    ['✓ Claude web-shop: done +1', { claude: done, codex: signalOf('Codex') }],
    ['✗ Gemini web-shop: failed, rate limit 1 h', { claude: running, gemini: failed }],
    // Who waits goes before what has failed, and the glyph is that of whom the text names.
    ['! Codex shop: permission 2 min', { gemini: failed, codex: waitIn('Codex', 'shop') }],
    // The newest of those that wait, and how many wait beside it.
    [
      '! Codex shop: permission 2 min +3',
      {
        claude: agent('Claude', 'permission', { state: 'needs_user', reason: 'question', count: 3 }),
        codex: waitIn('Codex', 'shop'),
      },
    ],
    ['= paused', { claude: { ...running, lamp: 'paused' } }],
    ['= paused, 1 waiting', { codex: { ...waitIn('Codex', 'shop'), lamp: 'paused' } }],
    ['~ not known', { claude: agent('Claude', 'stale', { state: 'unknown', reason: 'stale' }) }],
    [
      '! Codex shop: permission 2 min',
      {
        claude: agent('Claude', 'blocked', { state: 'idle', reason: 'ended' }),
        codex: waitIn('Codex', 'shop'),
      },
    ],
    ['? Claude: not seen yet', { claude: { ...done, lamp: 'needs_review' } }],
    [
      '~ Codex shop: permission 2 min, not to be trusted',
      { codex: { ...waitIn('Codex', 'shop'), lamp: 'stale' } },
    ],
  ])('%s', (text, signals) => {
    expect(glyphAndHeadline(barWith(signals))).toBe(text);
  });

  it.each([
    [0, 'now'],
    [59, 'now'],
    [60, '1 min'],
    [3_599, '59 min'],
    [-5_000, 'now'],
  ])('%i seconds are %s', (seconds, age) => {
    const signal = agent('Codex', 'permission', {
      state: 'needs_user',
      reason: 'question',
      since: since(seconds),
    });
    expect(glyphAndHeadline(barWith({ codex: signal }))).toBe(`! Codex web-shop: question ${age}`);
  });

  it('is looked at again when an age reads differently, and never when nothing has one', () => {
    // Two minutes and five seconds old.
    expect(nextMinute(barWith({ codex: waitIn('Codex', 'shop') }))).toBe(NOW + 55_000);
    expect(nextMinute(barWith({ codex: signalOf('Codex') }))).toBeUndefined();
  });

  it('cuts a name between two characters as a reader sees them', () => {
    expect(nameText('x'.repeat(40))).toBe('x'.repeat(40));
    expect(nameText('x'.repeat(41))).toBe(`${'x'.repeat(39)}…`);
    expect(nameText('🇩🇪'.repeat(41))).toBe(`${'🇩🇪'.repeat(39)}…`);
  });
});
