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

const asked = { tool: 'Bash', digest: '00000000000000aa' };

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
      'contested',
      (t) => {
        t.begin();
        t.hook('Stop', { background: [{ id: 'b1', type: 'shell', status: 'running' }] });
        t.wait(SECOND);
        t.status('idle');
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
  });

  it.each<[string, (t: Teller) => void]>([
    [
      'a Stop has listed',
      (t) => {
        t.begin();
        t.hook('Stop', { background: [{ id: 'b1', type: 'shell', status: 'running' }] });
      },
    ],
    ['no hook has told of', (t) => t.status('shell')],
  ])('idle after background work that %s is told as such', (_what, make) => {
    const teller = telling();
    make(teller);
    teller.wait(SECOND);
    teller.status('idle');
    expect(explained(teller).status.words).toContain('idle after background work');
  });

  it('what it says, and for what it waits', () => {
    const teller = telling();
    teller.status('waiting', 'dialog open');
    expect(explained(teller).status).toMatchObject({
      value: 'waiting',
      waiting_for: 'dialog open',
      age_s: 0,
    });
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
