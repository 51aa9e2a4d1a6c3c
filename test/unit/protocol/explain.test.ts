import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { derive } from '../../../protocol/derive.ts';
import { DEFAULT_TIMEOUTS, HEADLESS_HOLD, OPEN_TOOL_HOLD } from '../../../protocol/expiry.ts';
import { explain } from '../../../protocol/explain.ts';
import type { LoggedEvent } from '../../../protocol/explain-evidence.ts';
import { explanation } from '../../../protocol/messages/explain.ts';
import { SessionTable } from '../../../protocol/table.ts';
import { MINUTE, SECOND, tableOptions } from '../../support/driving.ts';
import { explained, logged, type Teller, telling } from '../../support/explaining.ts';
import { story, tell } from '../../support/stories.ts';

/** A way a session comes to be what it is, and what decided. */
type Case = readonly [
  what: string,
  make: (teller: Teller) => void,
  state: string,
  rule: string,
  evidence: readonly [origin: string, what: string],
];

const asked = { tool: 'Bash', digest: '00000000000000aa' };
const shell = [{ id: 'b1', type: 'shell', status: 'running' }];

const CASES: readonly Case[] = [
  [
    'started',
    (t) => t.hook('SessionStart', { source: 'startup' }),
    'running',
    'turn_end',
    ['hook', 'SessionStart'],
  ],
  [
    'resumed',
    (t) => t.hook('SessionStart', { source: 'resume' }),
    'idle',
    'turn_end',
    ['hook', 'SessionStart'],
  ],
  ['prompted', (t) => t.begin(), 'running', 'turn_runs', ['hook', 'UserPromptSubmit']],
  [
    'a tool began',
    (t) => {
      t.begin();
      t.hook('PreToolUse', asked);
    },
    'running',
    'turn_runs',
    ['hook', 'PreToolUse'],
  ],
  [
    'a tool ended; a subagent’s came after it',
    (t) => {
      t.begin();
      t.hook('PreToolUse', asked);
      t.hook('PostToolUse', asked);
      t.hook('PreToolUse', { ...asked, agent_id: 'a1' });
    },
    'running',
    'turn_runs',
    ['hook', 'PostToolUse'],
  ],
  [
    'a permission',
    (t) => {
      t.begin();
      t.hook('PermissionRequest', asked);
      t.hook('PostToolUse', { tool: 'Read' });
    },
    'needs_user',
    'open_request',
    ['hook', 'PermissionRequest'],
  ],
  ['a raw permission', (t) => t.signal('permission'), 'needs_user', 'open_request', ['signal', 'permission']],
  ['a raw working', (t) => t.signal('working'), 'running', 'turn_runs', ['signal', 'working']],
  ['a raw done', (t) => t.signal('done'), 'done', 'turn_end', ['signal', 'done']],
  ['a raw failure', (t) => t.signal('failure'), 'error', 'failed_end', ['signal', 'failure']],
  [
    'a raw stale',
    (t) => {
      t.begin();
      t.signal('stale');
    },
    'unknown',
    'raw_signal',
    ['signal', 'stale'],
  ],
  [
    'a question at the end',
    (t) => {
      t.begin();
      t.hook('Stop', { question: true });
    },
    'needs_user',
    'open_request',
    ['hook', 'Stop'],
  ],
  [
    'done',
    (t) => {
      t.begin();
      t.hook('Stop');
      t.hook('SubagentStart', { agent_id: 'a1' });
    },
    'done',
    'turn_end',
    ['hook', 'Stop'],
  ],
  [
    'done for a while with a wake-up',
    (t) => {
      t.begin();
      t.hook('Stop', { crons: 1 });
    },
    'idle',
    'turn_end',
    ['hook', 'Stop'],
  ],
  [
    'forgotten',
    (t) => {
      t.begin();
      t.hook('Notification', { notification: 'idle_prompt' }, { after: MINUTE });
    },
    'done',
    'turn_end',
    ['hook', 'Notification'],
  ],
  [
    'failed',
    (t) => {
      t.begin();
      t.hook('StopFailure', { error: 'overloaded' });
    },
    'error',
    'failed_end',
    ['hook', 'StopFailure'],
  ],
  [
    'interrupted',
    (t) => {
      t.begin();
      t.hook('Interrupt');
    },
    'idle',
    'turn_end',
    ['hook', 'Interrupt'],
  ],
  [
    'ended',
    (t) => {
      t.begin();
      t.hook('SessionEnd');
    },
    'idle',
    'turn_end',
    ['hook', 'SessionEnd'],
  ],
  [
    'background work',
    (t) => {
      t.begin();
      t.hook('Stop', { background: shell });
      t.hook('Stop', { background: shell, agent_id: 'a1' });
    },
    'running',
    'background_work',
    ['hook', 'Stop'],
  ],
  [
    'compacts',
    (t) => {
      t.begin();
      t.hook('Stop');
      t.hook('PreCompact');
    },
    'running',
    'compaction',
    ['hook', 'PreCompact'],
  ],
  [
    'a queued prompt’s turn',
    (t) => {
      t.begin();
      t.hook('UserPromptSubmit', { prompt_id: 'p1' });
      t.hook('Stop');
    },
    'running',
    'queued_prompt',
    ['hook', 'UserPromptSubmit'],
  ],
  [
    'nothing heard',
    (t) => {
      t.begin();
      t.wait(11 * MINUTE);
    },
    'unknown',
    'expired',
    ['hook', 'UserPromptSubmit'],
  ],
  ['only a status', (t) => t.status('busy'), 'running', 'status_newer', ['status', 'busy']],
  [
    'a status waits',
    (t) => {
      t.begin();
      t.status('waiting', 'permission prompt');
    },
    'needs_user',
    'status_newer',
    ['status', 'permission prompt'],
  ],
  [
    'Esc, seen by a status',
    (t) => {
      t.begin();
      t.status('idle');
    },
    'idle',
    'status_newer',
    ['status', 'idle'],
  ],
  [
    'Esc, and another status since',
    (t) => {
      t.begin();
      t.status('idle');
      t.status('idle', 'other');
    },
    'idle',
    'status_newer',
    ['status', 'idle'],
  ],
  [
    'the client’s own shell',
    (t) => {
      t.begin();
      t.hook('Stop');
      t.status('shell');
    },
    'running',
    'status_newer',
    ['status', 'shell'],
  ],
];

describe('what decided', () => {
  it.each(CASES)('%s', (_what, make, state, rule, [origin, what]) => {
    const teller = telling();
    make(teller);
    const found = explained(teller);
    expect([found.state, found.decided_by.rule]).toEqual([state, rule]);
    expect(found.decided_by.evidence).toMatchObject({ origin, what });
    expect(found.decided_by.words).toMatch(/^[A-Z].*\.$/);
    expect(explanation.parse(found)).toEqual(found);
  });

  it.each(CASES)('%s, when the log is gone', (_what, make, state, rule, [origin, what]) => {
    const teller = telling();
    make(teller);
    const found = explained(teller, { log: [] });
    expect([found.state, found.decided_by.rule]).toEqual([state, rule]);
    const { evidence } = found.decided_by;
    const signal = origin === 'signal' && rule !== 'raw_signal' && rule !== 'open_request';
    // What is left tells of the kind of event, not of the script that stood for it.
    if (signal) expect(evidence.origin).toBe('hook');
    else expect(evidence.origin).toBe(origin);
    if (!signal && rule !== 'expired' && what !== 'PostToolUse') expect(evidence.what).toBe(what);
  });
});

describe('what would close a request', () => {
  const closers = (teller: Teller, index = 0): string[] =>
    explained(teller).open[index]?.closed_by.map(({ by }) => by) ?? [];

  it.each<readonly [kind: string, open: (t: Teller) => void, closers: readonly string[]]>([
    [
      'a permission',
      (t) => t.hook('PermissionRequest', asked),
      ['tool_end', 'prompt', 'turn_end', 'interrupt', 'session_end'],
    ],
    [
      'a subagent’s permission',
      (t) => t.hook('PermissionRequest', { ...asked, agent_id: 'a1' }),
      ['tool_end', 'agent_end', 'interrupt', 'session_end'],
    ],
    [
      'a question',
      (t) => t.hook('PreToolUse', { tool: 'AskUserQuestion' }),
      ['tool_end', 'prompt', 'turn_end', 'interrupt', 'session_end'],
    ],
    [
      'an elicitation of a named request',
      (t) => t.hook('Elicitation', { request: 'r1' }),
      ['tool_end', 'answer', 'prompt', 'turn_end', 'interrupt', 'session_end'],
    ],
    [
      'a dialog',
      (t) => t.hook('PreModelSwitch'),
      ['tool_end', 'dialog_end', 'prompt', 'turn_end', 'interrupt', 'session_end'],
    ],
    [
      'a notification',
      (t) => t.hook('Notification', { notification: 'permission_prompt' }),
      ['tool_end', 'prompt', 'turn_end', 'interrupt', 'session_end'],
    ],
    [
      'a possible question',
      (t) => t.hook('Stop', { question: true }),
      ['prompt', 'interrupt', 'session_end'],
    ],
    [
      'an account',
      (t) => t.hook('StopFailure', { error: 'billing_error' }),
      ['prompt', 'login', 'interrupt', 'session_end'],
    ],
    [
      'a wait that a status tells of',
      (t) => t.status('waiting', 'permission prompt'),
      ['batch_end', 'prompt', 'turn_end', 'interrupt', 'session_end', 'status'],
    ],
  ])('%s', (_kind, open, expected) => {
    const teller = telling();
    teller.begin();
    open(teller);
    expect(closers(teller)).toEqual(expected);
  });

  it('says which statuses; only where the client has one', () => {
    const teller = telling();
    teller.status('busy');
    teller.hook('UserPromptSubmit', { prompt_id: 'p1' });
    teller.hook('PermissionRequest', asked);
    const words = (): string | undefined => explained(teller).open[0]?.closed_by.at(-1)?.words;
    expect(words()).toBe('a newer status of its client (busy or idle)');
    teller.hook('Stop', { question: true });
    expect(words()).toBe('a newer status of its client (busy)');
    teller.hook('StopFailure', { error: 'billing_error', prompt_id: 'p2' });
    teller.hook('UserPromptSubmit', { prompt_id: 'p3' });
    teller.hook('StopFailure', { error: 'billing_error' });
    expect(words()).not.toContain('status');
  });

  it('an acknowledgement, where this hub takes any and the user has not given it', () => {
    const teller = telling();
    teller.begin();
    teller.hook('PermissionRequest', asked);
    const commands = ['ack'];
    const [open] = explained(teller, { commands }).open;
    expect(open).toMatchObject({ standing: 'raised', opened_at: Math.floor(teller.now() / 1000) });
    expect(open?.closed_by.at(-1)?.by).toBe('ack');
    const acked = explained(teller, { commands, record: { acked: [open?.id ?? ''] } });
    expect(acked).toMatchObject({ state: 'running', open: [{ standing: 'acknowledged' }] });
    expect(acked.open[0]?.closed_by.map(({ by }) => by)).not.toContain('ack');
  });

  it('does close it: each event that it names is folded in, and the request is gone', () => {
    const events = {
      tool_end: 'PostToolUse',
      prompt: 'UserPromptSubmit',
      turn_end: 'Stop',
      interrupt: 'Interrupt',
      session_end: 'SessionEnd',
    } as const;
    for (const event of Object.values(events)) {
      const teller = telling();
      teller.begin();
      teller.hook('PermissionRequest', asked);
      teller.hook(
        event,
        event === 'PostToolUse' ? asked : { prompt_id: event === 'UserPromptSubmit' ? 'p2' : 'p1' },
      );
      expect(teller.kinds()).toEqual([]);
    }
  });
});

describe('alert', () => {
  it.each<readonly [what: string, make: (t: Teller) => void, outcome: string, why: string]>([
    ['while it settles', (t) => t.hook('PermissionRequest', asked), 'due', 'settles'],
    [
      'once it has settled',
      (t) => {
        t.hook('PermissionRequest', asked);
        t.wait(SECOND);
      },
      'given',
      'waited',
    ],
    ['for what came late', (t) => t.hook('PermissionRequest', asked, { live: false }), 'none', 'not_live'],
    [
      'for what the user has opened',
      (t) => {
        t.hook('Stop');
        t.hook('PreModelSwitch');
        t.wait(SECOND);
      },
      'none',
      'opened_by_you',
    ],
    ['where nobody waits', (t) => t.hook('PreToolUse', asked), 'none', 'not_waiting'],
  ])('%s', (_what, make, outcome, why) => {
    const teller = telling();
    teller.begin();
    make(teller);
    expect(explained(teller).alert).toMatchObject({ outcome, why });
  });
});

describe('the lamp', () => {
  it.each<readonly [lamp: string, rule: string, make: (t: Teller) => void]>([
    ['permission', 'open_request', (t) => t.hook('PermissionRequest', asked)],
    ['needs_review', 'open_request', (t) => t.hook('Notification')],
    ['blocked', 'failed_end', (t) => t.hook('StopFailure', { error: 'overloaded' })],
    ['stale', 'unknown', (t) => t.wait(11 * MINUTE)],
    ['active', 'running', (t) => t.hook('PreToolUse', asked)],
    ['ready', 'fresh', (t) => t.hook('SessionStart', { source: 'startup' })],
    ['completed', 'completed', (t) => t.hook('Stop')],
    [
      'ready',
      'at_rest',
      (t) => {
        t.hook('Stop');
        t.wait(MINUTE);
      },
    ],
    [
      'permission',
      'latch',
      (t) => {
        t.hook('PermissionRequest', asked);
        t.hook('Stop');
      },
    ],
    ['paused', 'latch', (t) => t.signal('paused')],
    [
      'stale',
      'latch',
      (t) => {
        t.signal('stale');
        t.hook('Stop');
      },
    ],
  ])('%s by %s', (lamp, rule, make) => {
    const teller = telling();
    teller.begin();
    make(teller);
    const found = explained(teller);
    expect([found.lamp, found.lamp_by.rule]).toEqual([lamp, rule]);
    expect(found.lamp_by.words).toMatch(/^[A-Z].*\.$/);
    expect(found.lamp_by.latch).toBe(rule === 'latch' ? lamp : undefined);
  });
});

describe('what time alone will do', () => {
  const next = (teller: Teller): [string, number][] =>
    explained(teller).next.map(({ what, in_s }) => [what, in_s]);

  it('a wait alerts, and runs out', () => {
    const teller = telling();
    teller.begin();
    teller.hook('PermissionRequest', asked);
    expect(next(teller)).toEqual([
      ['alert', 0],
      ['removed', 3600],
    ]);
    expect(explained(teller).next[1]?.words).toContain('not known');
  });

  it('a turn turns into not known, and that leaves the table', () => {
    const teller = telling();
    teller.begin();
    expect(next(teller)).toEqual([['unknown', 600]]);
    teller.wait(11 * MINUTE);
    expect(next(teller)).toEqual([['removed', 19 * 60]]);
  });

  it('a lone start is only taken out', () => {
    const teller = telling();
    teller.hook('SessionStart', { source: 'startup' });
    expect(next(teller)).toEqual([['removed', 600]]);
    expect(explained(teller).next[0]?.words).not.toContain('not known');
  });

  it('the lamp leaves completed', () => {
    const teller = telling();
    teller.begin();
    teller.hook('Stop');
    expect(next(teller)).toEqual([
      ['lamp_ready', 30],
      ['removed', 300],
    ]);
  });

  it('a request of a session without a person is held back', () => {
    const teller = telling({ defaults: { entrypoint: 'sdk-ts' } });
    teller.begin();
    teller.hook('PermissionRequest', asked);
    const found = explained(teller);
    expect(found.open).toMatchObject([
      { standing: 'held', raised_at: Math.floor((teller.now() + HEADLESS_HOLD) / 1000) },
    ]);
    expect(found.next[0]).toMatchObject({ what: 'raised', in_s: 0 });
  });

  it('a status that is older than a hook counts later', () => {
    const teller = telling();
    teller.status('busy');
    teller.hook('UserPromptSubmit', { prompt_id: 'p1' });
    expect(next(teller)).toEqual([
      ['status_settles', 0],
      ['unknown', 600],
    ]);
  });

  it('nothing runs out while a status says that it works', () => {
    const teller = telling();
    teller.status('busy');
    expect(explained(teller)).toMatchObject({ held: { by: 'status' }, next: [] });
  });

  it('a long tool is not stale', () => {
    const teller = telling();
    teller.begin();
    teller.hook('PreToolUse', asked);
    teller.hook('PreToolUse', { tool: 'Bash', agent_id: 'a1' });
    const found = explained(teller);
    expect(found.held).toEqual({ by: 'open_tool', words: expect.stringContaining('(Bash)') as string });
    expect(found.next).toMatchObject([{ what: 'unknown', in_s: OPEN_TOOL_HOLD / 1000 }]);
  });
});

describe('the client’s status', () => {
  it.each<readonly [standing: string, make: (t: Teller) => void]>([
    ['none', (t) => t.begin()],
    ['newer', (t) => t.status('waiting', 'dialog open')],
    [
      'contested',
      (t) => {
        t.status('busy');
        t.hook('UserPromptSubmit', { prompt_id: 'p1' });
      },
    ],
    [
      'stuck',
      (t) => {
        t.status('busy');
        t.hook('UserPromptSubmit', { prompt_id: 'p1' }, { after: 10 * SECOND });
        t.wait(SECOND);
      },
    ],
  ])('%s', (standing, make) => {
    const teller = telling();
    make(teller);
    const { status } = explained(teller);
    expect(status.standing).toBe(standing);
    if (standing === 'newer') expect(status).toMatchObject({ value: 'waiting', waiting_for: 'dialog open' });
  });
});

describe('evidence that the record alone can’t give', () => {
  it('of a status that has brought the end of a turn and is gone from the record', () => {
    const teller = telling();
    teller.begin();
    teller.status('idle');
    const { turn } = teller.the();
    const { end_seen_at: _, ...unseen } = turn;
    const found = explained(teller, { record: { status: undefined, turn: unseen } });
    expect(found.decided_by.evidence).toMatchObject({ origin: 'status', what: 'idle' });
  });

  it.each(['running', 'done'] as const)('of a record without times: %s', (state) => {
    const teller = telling();
    teller.begin();
    const turn = { running: state === 'running', end: 'done', reason: 'tool_use' } as const;
    const found = explained(teller, { record: { turn }, log: [] });
    expect(found.decided_by.evidence).toMatchObject({
      origin: 'hook',
      what: state === 'running' ? 'PreToolUse' : 'Stop',
      at: Math.floor(teller.now() / 1000),
    });
  });

  it('passes over entries of the log that mean nothing to it', () => {
    const teller = telling();
    teller.begin();
    const odd: LoggedEvent = { event: 'ack', moment: teller.now(), arrival: teller.now(), live: true };
    teller.log.push(
      odd,
      { ...odd, event: 'Signal', signal: 'strange' },
      { ...odd, event: 'Signal', signal: 'paused' },
    );
    expect(explained(teller).decided_by.evidence.what).toBe('UserPromptSubmit');
  });
});

describe('bounds', () => {
  it('ten events, twelve requests, and how many more', () => {
    const teller = telling();
    teller.begin();
    for (let index = 0; index < 20; index += 1) teller.hook('PermissionRequest', { tool: `Tool${index}` });
    const found = explained(teller, {
      refused: [{ code: 'bad_json', count: 3, last_at: teller.now() - 5_000 }],
    });
    expect([found.events.length, found.open.length, found.open_more]).toEqual([10, 12, 8]);
    expect(found.open.at(-1)?.tool).toBe('Tool19');
    expect(found.refused).toMatchObject([{ code: 'bad_json', count: 3, age_s: 5 }]);
  });

  it('tells what was late, and how late', () => {
    const teller = telling();
    teller.begin();
    teller.hook('PreToolUse', { ...asked, sent_at: teller.now() }, { after: 1500, live: false });
    expect(explained(teller).events.at(-1)).toMatchObject({
      event: 'PreToolUse',
      tool: 'Bash',
      lag_ms: 1500,
      live: false,
    });
  });
});

describe('any session', () => {
  it('is explained, as `derive` has it, and as the bus allows', () => {
    fc.assert(
      fc.property(story, fc.integer({ min: -10 * MINUTE, max: 200 * MINUTE }), (steps, later) => {
        const table = new SessionTable(tableOptions());
        const now = tell(table, steps) + later;
        for (const session of table.sessions()) {
          const log = steps.map(({ event, live }) => logged(event, { now, live }));
          const found = explain(
            session,
            {
              project: table.projectOf(session),
              timeouts: DEFAULT_TIMEOUTS,
              rules: { background: 'all' },
              log,
              refused: [],
              commands: [],
            },
            now,
          );
          const { state, reason, lamp } = derive(session, now, DEFAULT_TIMEOUTS);
          expect(found).toMatchObject({ state, reason, lamp });
          expect(explanation.parse(found)).toEqual(found);
        }
      }),
    );
  });
});
