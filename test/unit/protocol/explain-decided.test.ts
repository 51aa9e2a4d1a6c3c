import { describe, expect, it } from 'vitest';
import { explanation } from '../../../protocol/messages/explain.ts';
import { MINUTE } from '../../support/driving.ts';
import { explained, type Teller, telling } from '../../support/explaining.ts';

/** A way a session comes to be what it is, what decided, and what is still known of that without the log. */
type Case = readonly [
  what: string,
  make: (teller: Teller) => void,
  state: string,
  rule: string,
  evidence: readonly [origin: string, what: string],
  remembered?: readonly [origin: string, what: string],
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
    ['hook', 'PreToolUse'],
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
  [
    'a raw working',
    (t) => t.signal('working'),
    'running',
    'turn_runs',
    ['signal', 'working'],
    ['hook', 'PreToolUse'],
  ],
  [
    'a raw paused, and nothing else',
    (t) => t.signal('paused'),
    'idle',
    'turn_end',
    ['signal', 'paused'],
    ['hook', 'event'],
  ],
  ['a raw done', (t) => t.signal('done'), 'done', 'turn_end', ['signal', 'done'], ['hook', 'Stop']],
  [
    'a raw failure',
    (t) => t.signal('failure'),
    'error',
    'failed_end',
    ['signal', 'failure'],
    ['hook', 'StopFailure'],
  ],
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
    ['hook', 'event'],
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
    'killed',
    (t) => {
      t.status('busy');
      t.status('dead');
    },
    'error',
    'failed_end',
    ['process', 'dead'],
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

const NAMED = CASES.map(([what, ...rest]) => [what, rest] as const);

describe('what decided', () => {
  it.each(NAMED)('%s', (_what, [make, state, rule, [origin, what]]) => {
    const teller = telling();
    make(teller);
    const found = explained(teller);
    expect([found.state, found.decided_by.rule]).toEqual([state, rule]);
    expect(found.decided_by.evidence).toMatchObject({ origin, what });
    expect(found.decided_by.words).toMatch(/^[A-Z].*\.$/);
    expect(explanation.parse(found)).toEqual(found);
  });

  it.each(NAMED)(
    '%s, when the log is gone',
    (_what, [make, state, rule, evidence, remembered = evidence]) => {
      const teller = telling();
      make(teller);
      const found = explained(teller, { log: [] });
      expect([found.state, found.decided_by.rule]).toEqual([state, rule]);
      const [origin, what] = remembered;
      expect(found.decided_by.evidence).toMatchObject({ origin, what });
    },
  );
});
