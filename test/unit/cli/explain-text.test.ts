import { describe, expect, it } from 'vitest';
import { explainText, type ExplainParts } from '../../../cli/explain/explain-text.ts';
import type { Explanation } from '../../../protocol/messages/explain.ts';

const NOW = Date.UTC(2026, 0, 1, 12, 0, 0);
const seconds = NOW / 1000;

const WAITING: Explanation = {
  v: 1,
  key: '00aa11bb22cc',
  provider: 'claude',
  session_id: 'sid-1',
  host: 'studio',
  project: 'web-shop',
  state: 'needs_user',
  reason: 'permission_request',
  lamp: 'permission',
  since: seconds - 125,
  since_s: 125,
  decided_by: {
    rule: 'open_request',
    words: 'It waits for you.',
    evidence: { origin: 'hook', what: 'PermissionRequest', at: seconds - 125, age_s: 125 },
  },
  lamp_by: { rule: 'open_request', words: 'A request needs your decision.' },
  alert: { outcome: 'given', why: 'waited', words: 'The alert has been given.' },
  open: [
    {
      id: 'permission-1',
      kind: 'permission',
      tool: 'Bash',
      opened_at: seconds - 125,
      age_s: 125,
      evidence: { origin: 'hook', what: 'PermissionRequest', at: seconds - 125, age_s: 125 },
      standing: 'raised',
      closed_by: [
        { by: 'tool_end', words: 'the end of that call of Bash' },
        { by: 'prompt', words: 'a prompt that you type' },
        { by: 'turn_end', words: 'the end of the turn' },
      ],
    },
  ],
  open_more: 0,
  next: [{ what: 'removed', at: seconds + 3475, in_s: 3475, words: 'it leaves the table' }],
  status: { standing: 'none', words: 'No status is known.' },
  background: [],
  events: [
    { event: 'UserPromptSubmit', at: seconds - 130, age_s: 130, lag_ms: 0, live: true },
    { event: 'PermissionRequest', tool: 'Bash', at: seconds - 125, age_s: 125, lag_ms: 0, live: true },
  ],
  refused: [],
};

function text(change: Partial<Explanation> = {}, parts: Partial<ExplainParts> = {}): string {
  return explainText({
    explanations: [{ ...WAITING, ...change }],
    left_out: 0,
    whole: true,
    nameOf: (slug) => (slug === 'claude' ? 'Claude' : slug),
    look: { colour: false, terminal: true, width: 80, now: NOW, rhythm: false },
    ...parts,
  });
}

it('tells what, why, what is open, what changes it and what was heard', () => {
  const [head = '', ...rest] = text().split('\n');
  expect(head).toMatch(/^ . {3}Claude {2}web-shop {2}waiting \(permission\)$/);
  expect(rest.filter((line) => !line.includes('since'))).toEqual([
    '     key 00aa11bb22cc, session sid-1, on studio',
    '',
    'Why',
    '  It waits for you.',
    '  By the hook PermissionRequest, 2 min ago.',
    '  Lamp permission: a request needs your decision.',
    '  The alert has been given.',
    '',
    'Still open',
    '  permission for Bash, open for 2 min, by the hook PermissionRequest',
    '    Closed by: the end of that call of Bash, a prompt that you type or the end',
    '    of the turn.',
    '',
    'What changes it',
    '  in 57 min: it leaves the table',
    '  No status is known.',
    '',
    'Heard lately',
    '  2 min ago   UserPromptSubmit',
    '  2 min ago   PermissionRequest  Bash',
    '',
  ]);
});

describe('what is said', () => {
  const open = WAITING.open[0] as Explanation['open'][0];

  it.each<readonly [what: string, change: Partial<Explanation>, words: string]>([
    ['of a subagent', { open: [{ ...open, agent_id: 'a1' }] }, 'for Bash, of the subagent a1'],
    ['of a request that is held back', { open: [{ ...open, standing: 'held' }] }, '; held'],
    ['of one that is acknowledged', { open: [{ ...open, standing: 'acknowledged' }] }, ' acknowledged'],
    ['of what the user has opened', { open: [{ ...open, by_user: true }] }, '; opened by'],
    [
      'of a killed process',
      {
        decided_by: {
          rule: 'failed_end',
          words: 'Its process was found dead.',
          evidence: { origin: 'process', what: 'dead', at: seconds - 2, age_s: 2 },
        },
      },
      '  By a look for its process: dead, 2 s ago.\n',
    ],
    [
      'of one closer',
      { open: [{ ...open, closed_by: open.closed_by.slice(0, 1) }] },
      'Closed by: the end of that call of Bash.',
    ],
    ['of none', { open: [{ ...open, closed_by: [] }] }, 'Closed by: nothing but time.'],
    ['of more requests', { open_more: 3 }, '  and 3 older\n'],
    ['of background work', { background: ['shell', 'subagent'] }, '  background work: shell, subagent\n'],
    ['of what holds', { held: { by: 'status', words: 'Nothing runs out.' } }, '  Nothing runs out.\n'],
    [
      'of a moment that is near',
      { next: [{ what: 'alert', at: seconds, in_s: 0, words: 'it alerts' }] },
      '  at once: it alerts\n',
    ],
    [
      'of a status',
      {
        status: {
          standing: 'newer',
          value: 'waiting',
          waiting_for: 'dialog open',
          at: seconds,
          age_s: 3,
          words: 'It counts.',
        },
      },
      "  Its client's status is waiting (dialog open), 3 s ago. It counts.\n",
    ],
    [
      'of a status that waits for nothing',
      { status: { standing: 'stuck', value: 'busy', words: 'It is stuck.' } },
      "  Its client's status is busy, just now. It is stuck.\n",
    ],
    [
      'of a raw signal',
      { events: [{ event: 'Signal', signal: 'done', at: seconds, age_s: 0, lag_ms: 0, live: true }] },
      '  just now    signal done\n',
    ],
    [
      'of what came late',
      {
        events: [
          {
            event: 'Notification',
            notification: 'idle_prompt',
            at: seconds,
            age_s: 0,
            lag_ms: 61_000,
            live: false,
          },
        ],
      },
      '  just now    Notification  idle_prompt  not live, 1 min late\n',
    ],
    [
      'of what was refused',
      { refused: [{ code: 'bad_json', count: 3, last_at: seconds - 60, age_s: 60 }] },
      '\nRefused\n  3 × bad_json, the last 1 min ago (of all that came from Claude)\n',
    ],
    ['of no reason', { reason: '' }, 'waiting\n'],
    ['of more than a day', { since_s: 200_000 }, '     for 2 d\n'],
  ])('%s', (_what, change, words) => {
    expect(text(change)).toContain(words);
  });

  it('nothing where there is nothing', () => {
    const quiet = text({ state: 'idle', open: [], events: [] });
    for (const heading of ['Still open', 'Heard lately', 'Refused', 'The alert'])
      expect(quiet).not.toContain(heading);
  });
});

describe('several', () => {
  it('in short, and how to see more', () => {
    const several = text(
      {},
      { explanations: [WAITING, { ...WAITING, project: 'docs', open: [] }], whole: false, left_out: 7 },
    );
    expect(several).toContain('     - permission for Bash, open for 2 min');
    expect(several).not.toContain('Closed by');
    expect(several.split('\n').slice(-3)).toEqual([
      '7 more had no room; name one to see it.',
      'More of one of them: signalbox explain KEY',
      '',
    ]);
  });

  it('none', () => {
    expect(text({}, { explanations: [], whole: false })).toBe('There is no session to explain.\n');
  });
});

it('fits a terminal, and neutralises what comes from outside', () => {
  const evil = '\u001b[31mx\u202e\u0007'.repeat(20);
  const open = WAITING.open[0] as Explanation['open'][0];
  const hostile = text({
    project: evil,
    session_id: evil,
    host: evil,
    provider: evil,
    reason: evil,
    decided_by: { rule: 'x', words: evil, evidence: { origin: 'hook', what: evil, at: 0, age_s: 0 } },
    lamp_by: { rule: 'x', words: evil },
    alert: { outcome: 'none', why: 'x', words: evil },
    open: [{ ...open, tool: evil, agent_id: evil, closed_by: [{ by: 'x', words: evil }] }],
    background: [evil],
    next: [{ what: 'x', at: 0, in_s: 1, words: evil }],
    held: { by: 'x', words: evil },
    status: { standing: 'newer', value: evil, waiting_for: evil, words: evil },
    events: [{ event: evil, tool: evil, at: 0, age_s: 0, lag_ms: 0, live: true }],
    refused: [{ code: evil, count: 1, last_at: 0, age_s: 0 }],
  });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
  expect(hostile).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  for (const line of text().split('\n')) expect(line.length).toBeLessThanOrEqual(80);
});

it('has colours where they are wanted', () => {
  const look = { colour: true, terminal: true, width: 80, now: NOW, rhythm: false };
  expect(text({}, { look })).toContain('\u001b[1mWhy\u001b[0m');
});
