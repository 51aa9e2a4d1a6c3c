import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { Board } from '../../../cli/status/board.ts';
import { jsonFormat } from '../../../cli/status/formats/json.ts';
import { textFormat } from '../../../cli/status/formats/text.ts';
import type { StatusView } from '../../../cli/status/status-view.ts';
import type { Look } from '../../../cli/terminal/look.ts';
import { encodeSignal, type SignalPayload } from '../../../protocol/messages/signal.ts';
import { createProviderRegistry } from '../../../protocol/providers.ts';
import { signalOf } from '../../support/cli-hub.ts';

const NOW = Date.UTC(2026, 0, 2, 9, 4, 31);
const PIPE: Look = {
  colour: false,
  terminal: false,
  width: Number.POSITIVE_INFINITY,
  now: NOW,
  rhythm: false,
};
const since = NOW / 1000 - 125;

function boardOf(signals: Readonly<Record<string, SignalPayload>>, provider?: string): Board {
  const board = new Board(createProviderRegistry(), provider);
  for (const [slug, signal] of Object.entries(signals))
    board.take('signal', { provider: slug }, encodeSignal(signal), NOW);
  board.take('lampAll', {}, 'permission', NOW);
  board.take('line', {}, 'Codex waiting: web-shop (permission) +1', NOW);
  board.take('hubState', {}, 'online', NOW);
  return board;
}

const codex = signalOf('Codex', 'permission', {
  state: 'needs_user',
  count: 2,
  primary_project: 'web-shop',
  projects: ['web-shop', 'BacklogRunner'],
  reason: 'permission_request',
  since,
});
const claude = signalOf('Claude', 'active', {
  state: 'running',
  count: 1,
  primary_project: 'signalbox',
  projects: ['signalbox'],
  reason: 'tool_use',
  since: since + 113,
});

describe('the board', () => {
  it('lists providers in registry order, those nobody knows last by name', () => {
    const board = boardOf({ zed: signalOf('Zed'), codex, aider: signalOf('Aider'), claude });
    expect(board.view().providers.map(({ provider }) => provider)).toEqual([
      'claude',
      'codex',
      'aider',
      'zed',
    ]);
  });

  it('passes over what it can not read, and drops what is cleared', () => {
    const board = boardOf({ codex, claude });
    board.take('signal', { provider: 'codex' }, '{"v":1', NOW);
    board.take('signal', { provider: 'claude' }, '', NOW);
    expect(board.view().providers).toEqual([{ provider: 'codex', signal: codex }]);
  });

  it('keeps the first reason for which a hub went', () => {
    const board = boardOf({ codex });
    board.take('hubState', {}, 'offline', NOW);
    board.lost('it closed the connection', NOW + 5_000);
    expect(board.view().hub).toEqual({ state: 'gone', since: NOW, reason: 'it has stopped' });
  });

  it('knows whether something is missing of what the hub announced', () => {
    const board = boardOf({ codex });
    expect(board.heard).toBe('some');
    const info = { v: 1, hub_id: 'h', version: '1', host: 'studio', started_at: 1, hosts: [], features: [] };
    const named = (...slugs: string[]): string =>
      JSON.stringify({ ...info, providers: slugs.map((slug) => ({ slug, name: slug })) });
    board.take('hubInfo', {}, named('codex', 'claude'), NOW);
    expect(board.heard).toBe('some');
    board.take('hubInfo', {}, named('codex'), NOW);
    expect(board.heard).toBe('all');
    board.take('hubState', {}, 'offline', NOW);
    expect(board.heard).toBe('all');
    board.forget();
    expect(board.heard).toBe('nothing');
  });
});

describe('status as text', () => {
  it('has the overall line on top, then one line a provider', () => {
    const gemini = signalOf('Gemini', 'blocked', {
      state: 'error',
      count: 5,
      primary_project: 'a',
      projects: ['a', 'b', 'c'],
      reason: 'rate_limit',
      since,
    });
    expect(textFormat.once(boardOf({ claude, codex, gemini, qwen: signalOf('Qwen') }).view(), PIPE)).toBe(
      [
        ' !   Codex waiting: web-shop (permission) +1',
        '',
        ' ▸   Claude  running    signalbox                using a tool  12 s',
        ' !   Codex   2 waiting  web-shop, BacklogRunner  permission    2 min',
        ' ✗   Gemini  5 failed   a, b, c +2               rate limit    2 min',
        ' ∙   Qwen    idle',
        '',
      ].join('\n'),
    );
  });

  it.each([
    ['paused', 'running', 'using a tool, lamp paused'],
    ['stale', 'running', 'using a tool, not to be trusted'],
    ['needs_review', 'running', 'using a tool, not seen yet'],
  ] as const)('says what a lamp %s means beside %s', (lamp, state, words) => {
    const signal = signalOf('Claude', lamp, { ...claude.attention, state });
    expect(textFormat.once(boardOf({ claude: signal }).view(), PIPE)).toContain(words);
  });

  it('says that nobody has reported yet', () => {
    expect(textFormat.once(boardOf({}).view(), PIPE)).toContain('No agent has reported yet.');
  });

  it('fits a narrow terminal', () => {
    const long = signalOf('Codex', 'permission', {
      ...codex.attention,
      projects: ['日本語'.repeat(12), 'x'.repeat(40)],
    });
    const lines = textFormat
      .once(boardOf({ claude, codex: long }).view(), { ...PIPE, width: 50 })
      .split('\n');
    for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(50);
    expect(lines.join('\n')).toContain('permission');
  });

  it('never shows a state while the hub is gone', () => {
    const board = boardOf({ claude, codex });
    board.lost('it closed the connection', NOW);
    const text = textFormat.once(board.view(), { ...PIPE, colour: true, terminal: true, width: 80 });
    expect(text).toContain('Hub gone since ');
    expect(text).toContain('(it closed the connection). States are not known.');
    expect(text.match(/not known/g)).toHaveLength(3);
    expect(text).not.toMatch(/running|waiting|web-shop/);
    expect(text).not.toMatch(/\u001b\[(?:[\d;]*;)?(?:31|32)m/);
  });

  it('neutralises what a provider calls itself and its projects', () => {
    const hostile = signalOf('\u001b]0;x\u0007', 'permission', {
      ...codex.attention,
      projects: ['a\u202eb\tc'],
    });
    const text = textFormat.once(boardOf({ codex: hostile }).view(), PIPE);
    expect(text).toContain('\\u001b]0;x\\u0007');
    expect(text).toContain('a\\u202eb\\u0009c');
  });
});

describe('status as a stream of text', () => {
  const view = (signals: Readonly<Record<string, SignalPayload>>): StatusView => boardOf(signals).view();

  it('says one line for each provider that changed', () => {
    const all = view({ claude, codex });
    expect(textFormat.change(all, undefined, PIPE).split('\n')).toHaveLength(3);
    const idle = signalOf('Claude', 'ready', {});
    expect(textFormat.change(view({ claude: idle, codex }), all, PIPE)).toMatch(
      /^\d\d:\d\d:31 {3}∙ {3}Claude {5}idle\n$/,
    );
  });

  it('says nothing of a newer updated_at alone', () => {
    const touched = signalOf('Codex', 'permission', { ...codex.attention, updated_at: since + 9 });
    expect(textFormat.change(view({ codex: touched }), view({ codex }), PIPE)).toBe('');
  });

  it('says that a provider was removed', () => {
    expect(textFormat.change(view({ claude }), view({ claude, codex }), PIPE)).toMatch(/Codex +removed\n$/);
  });

  it('says once that the hub is gone, and everything when it is back', () => {
    const before = view({ claude, codex });
    const board = boardOf({ claude, codex });
    board.lost('it closed the connection', NOW);
    const gone = board.view();
    expect(textFormat.change(gone, before, PIPE)).toMatch(
      /Hub gone \(it closed the connection\)\. States are not known\.\n$/,
    );
    expect(textFormat.change(gone, gone, PIPE)).toBe('');
    expect(textFormat.change(before, gone, PIPE).split('\n')).toHaveLength(3);
  });
});

describe('status as JSON', () => {
  it('is what the bus holds and nothing else', () => {
    expect(JSON.parse(jsonFormat.once(boardOf({ codex }).view(), PIPE))).toEqual({
      hub: 'online',
      lamp: 'permission',
      line: 'Codex waiting: web-shop (permission) +1',
      providers: [{ provider: 'codex', ...codex }],
    });
  });

  it('gives nothing while the hub is gone', () => {
    const board = boardOf({ codex });
    board.take('hubState', {}, 'offline', NOW);
    expect(JSON.parse(jsonFormat.once(board.view(), PIPE))).toEqual({
      hub: 'offline',
      lamp: null,
      line: null,
      providers: [],
    });
  });

  it('shows the one provider that was asked for', () => {
    const shown = JSON.parse(jsonFormat.once(boardOf({ claude, codex }, 'claude').view(), PIPE)) as {
      providers: { provider: string }[];
    };
    expect(shown.providers.map(({ provider }) => provider)).toEqual(['claude']);
  });

  it('is one line a change, and none for no change', () => {
    const first = boardOf({ codex }).view();
    expect(jsonFormat.change(first, undefined, PIPE).split('\n')).toHaveLength(2);
    expect(jsonFormat.change(boardOf({ codex }).view(), first, PIPE)).toBe('');
  });
});
