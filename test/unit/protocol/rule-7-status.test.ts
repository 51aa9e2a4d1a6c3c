import { describe, expect, it } from 'vitest';
import { WORK_OVER_SETTLE } from '../../../protocol/expiry.ts';
import { type Driver, drive, type Fields, SECOND } from '../../support/driving.ts';
import { says, sent, sentBegin, tells } from '../../support/observing.ts';

const BASH = { tool: 'Bash', digest: '00000000000000aa' };
const SHELL_WORK = [{ id: 'b1', type: 'shell', status: 'running' }];

function begun(): Driver {
  const driver = drive();
  sentBegin(driver);
  return driver;
}

describe('rule 7: busy, newer than the last hook', () => {
  it('closes what was opened before it: it has been answered', () => {
    const driver = begun();
    sent(driver, 'PermissionRequest', BASH);
    sent(driver, 'PermissionRequest', { ...BASH, agent_id: 'a1' });
    tells(driver, 'busy');
    expect([driver.kinds(), ...says(driver)]).toEqual([[], 'running', 'tool_use', 'active']);
  });

  it('closes a possible question, and what a status has told of', () => {
    const driver = begun();
    sent(driver, 'Stop', { prompt_id: 'p1', question: true });
    tells(driver, 'busy');
    expect(says(driver)).toEqual(['running', 'status', 'active']);
    tells(driver, 'waiting', { waiting_for: 'input needed' });
    tells(driver, 'busy');
    expect([driver.kinds(), driver.state()]).toEqual([[], 'running']);
  });

  it('leaves account: only the user can mend that', () => {
    const driver = begun();
    sent(driver, 'StopFailure', { prompt_id: 'p1', error: 'billing_error' });
    tells(driver, 'busy');
    expect([driver.kinds(), driver.state(), driver.reason()]).toEqual([
      ['account'],
      'needs_user',
      'billing_error',
    ]);
  });

  it('never closes a wait opened by a newer hook, nor one of the same moment', () => {
    const driver = begun();
    sent(driver, 'PermissionRequest', BASH);
    sent(driver, 'PermissionRequest', { ...BASH, agent_id: 'a1' });
    tells(driver, 'busy', {}, { after: 50, ago: 50 });
    driver.wait(5 * SECOND);
    expect(driver.the().attentions).toMatchObject([{ agent_id: 'a1' }]);
  });

  it.each<[string, (driver: Driver) => void, string]>([
    ['after a start', (driver) => sent(driver, 'SessionStart', { source: 'startup' }), 'status'],
    ['after a Stop', (driver) => sent(driver, 'Stop', { prompt_id: 'p1' }), 'status'],
    ['after an error', (driver) => sent(driver, 'StopFailure', { error: 'overloaded' }), 'status'],
    ['in a turn', (driver) => sent(driver, 'PreToolUse', BASH), 'tool_use'],
    [
      'while a compaction runs',
      (driver) => {
        sent(driver, 'Stop', { prompt_id: 'p1' });
        sent(driver, 'PreCompact');
      },
      'compact',
    ],
    [
      'in a queued prompt’s turn',
      (driver) => {
        sent(driver, 'UserPromptSubmit', { prompt_id: 'p1' });
        sent(driver, 'Stop', { prompt_id: 'p1' });
      },
      'queued_prompt',
    ],
    [
      'with work in the background',
      (driver) => sent(driver, 'Stop', { prompt_id: 'p1', background: SHELL_WORK }),
      'background_task',
    ],
  ])('%s: running', (_what, make, reason) => {
    const driver = begun();
    make(driver);
    tells(driver, 'busy');
    expect(says(driver)).toEqual(['running', reason, 'active']);
  });

  it('its turn is ended by a Stop as any other', () => {
    const driver = begun();
    sent(driver, 'Stop', { prompt_id: 'p1' });
    tells(driver, 'busy');
    sent(driver, 'Stop', { prompt_id: 'p2' });
    expect(says(driver)).toEqual(['done', 'stop', 'completed']);
  });
});

describe('rule 7: shell, newer than the last hook', () => {
  it('closes what was opened before it; the turn is over and its shell runs on', () => {
    const driver = begun();
    sent(driver, 'PermissionRequest', BASH);
    tells(driver, 'shell');
    expect([driver.kinds(), ...says(driver)]).toEqual([[], 'running', 'background_task', 'active']);
    expect(driver.the().turn.running).toBe(false);
  });

  it('leaves account', () => {
    const driver = begun();
    sent(driver, 'StopFailure', { prompt_id: 'p1', error: 'authentication_failed' });
    tells(driver, 'shell');
    expect(driver.kinds()).toEqual(['account']);
  });

  it('after a Stop that listed it: the work that is known', () => {
    const driver = begun();
    sent(driver, 'Stop', { prompt_id: 'p1', background: SHELL_WORK });
    tells(driver, 'shell');
    expect([driver.the().background, driver.reason()]).toEqual([SHELL_WORK, 'background_task']);
  });

  it('after a Stop that listed nothing: running, and done once it is idle', () => {
    const driver = begun();
    sent(driver, 'Stop', { prompt_id: 'p1' });
    tells(driver, 'shell');
    expect(driver.reason()).toBe('background_task');
    tells(driver, 'idle');
    driver.wait(WORK_OVER_SETTLE);
    expect(driver.state()).toBe('done');
  });

  it('`state.background = agents`: a shell keeps no session running', () => {
    const driver = drive({ background: 'agents' });
    sentBegin(driver);
    sent(driver, 'Stop', { prompt_id: 'p1' });
    tells(driver, 'shell');
    expect(driver.state()).toBe('done');
  });

  it('the next Stop tells what runs', () => {
    const driver = begun();
    tells(driver, 'shell');
    sent(driver, 'UserPromptSubmit', { prompt_id: 'p2' });
    expect(driver.reason()).toBe('user_prompt');
    sent(driver, 'Stop', { prompt_id: 'p2' });
    expect(driver.state()).toBe('done');
  });
});

describe('rule 7: idle, newer than the last hook', () => {
  it('closes what was opened before it: Esc, or No', () => {
    const driver = begun();
    sent(driver, 'PermissionRequest', BASH);
    tells(driver, 'idle');
    expect([driver.kinds(), ...says(driver)]).toEqual([[], 'idle', 'interrupted', 'ready']);
  });

  it('leaves account and possible_question', () => {
    const account = begun();
    sent(account, 'StopFailure', { prompt_id: 'p1', error: 'billing_error' });
    tells(account, 'idle');
    expect([account.kinds(), account.state()]).toEqual([['account'], 'needs_user']);
    const asking = begun();
    sent(asking, 'Stop', { prompt_id: 'p1', question: true });
    tells(asking, 'idle');
    expect([asking.kinds(), asking.state()]).toEqual([['possible_question'], 'needs_user']);
  });

  it.each<[string, (driver: Driver) => void, string[]]>([
    ['a turn', () => undefined, ['idle', 'interrupted', 'ready']],
    ['a turn that told of a Stop', (driver) => sent(driver, 'Stop'), ['done', 'stop', 'completed']],
    [
      'a turn that told of an error',
      (driver) => sent(driver, 'StopFailure', { error: 'overloaded' }),
      ['error', 'overloaded', 'blocked'],
    ],
    [
      'a queued prompt’s turn',
      (driver) => {
        sent(driver, 'UserPromptSubmit', { prompt_id: 'p1' });
        sent(driver, 'Stop', { prompt_id: 'p1' });
        expect(driver.reason()).toBe('queued_prompt');
      },
      ['idle', 'interrupted', 'ready'],
    ],
    [
      'a prompt that waits in the queue',
      (driver) => sent(driver, 'UserPromptSubmit', { prompt_id: 'p1' }),
      ['idle', 'interrupted', 'ready'],
    ],
    [
      'a compaction',
      (driver) => {
        sent(driver, 'Stop');
        sent(driver, 'PreCompact');
      },
      ['done', 'stop', 'completed'],
    ],
    [
      'background work',
      (driver) => sent(driver, 'Stop', { background: SHELL_WORK }),
      ['done', 'stop', 'completed'],
    ],
    [
      'a start',
      (driver) => sent(driver, 'SessionStart', { source: 'startup' }),
      ['idle', 'session_start', 'ready'],
    ],
  ])('ends %s', (_what, make, shown) => {
    const driver = begun();
    make(driver);
    tells(driver, 'idle');
    driver.wait(WORK_OVER_SETTLE);
    expect(says(driver)).toEqual(shown);
    expect(driver.the()).toMatchObject({ background: [], open_tools: [], agents: [], compact: false });
  });

  it('ends a latch: the user was there', () => {
    const driver = begun();
    sent(driver, 'PermissionRequest', BASH);
    sent(driver, 'Stop', { prompt_id: 'p1' });
    expect(driver.lamp()).toBe('permission');
    tells(driver, 'idle');
    expect(driver.lamp()).toBe('completed');
  });

  it.each<[string, { sent_at?: number | undefined }, number]>([
    ['with the sender’s time', {}, 60],
    ['without it', { sent_at: undefined }, 0],
  ])('a Stop that arrives later makes it done: %s', (_what, unstamped, ago) => {
    const driver = begun();
    sent(driver, 'PreToolUse', BASH);
    tells(driver, 'idle');
    expect(driver.reason()).toBe('interrupted');
    sent(driver, 'Stop', { prompt_id: 'p1', ...unstamped } as Fields, { after: 40, ago });
    expect(says(driver)).toEqual(['done', 'stop', 'completed']);
    driver.wait(5 * SECOND);
    expect(says(driver)).toEqual(['done', 'stop', 'completed']);
  });

  it('so does a StopFailure make it an error', () => {
    const driver = begun();
    tells(driver, 'idle');
    sent(driver, 'StopFailure', { prompt_id: 'p1', error: 'overloaded' }, { after: 40, ago: 60 });
    expect(driver.state()).toBe('error');
  });

  it('the Stop of an interrupted turn stays its echo when a hook has told of the interrupt', () => {
    const driver = begun();
    sent(driver, 'Interrupt');
    tells(driver, 'idle');
    sent(driver, 'Stop', { prompt_id: 'p1' });
    expect(driver.reason()).toBe('interrupted');
  });
});
