import { describe, expect, it } from 'vitest';
import { type Driver, drive, SECOND } from '../../support/driving.ts';
import { says, sent, sentBegin, tells } from '../../support/observing.ts';

const BASH = { tool: 'Bash', digest: '00000000000000aa' };

function begun(): Driver {
  const driver = drive();
  sentBegin(driver);
  tells(driver, 'busy');
  return driver;
}

describe('rule 7: a process found dead', () => {
  it.each<[string, (driver: Driver) => void]>([
    ['in a turn', () => undefined],
    ['in a wait', (driver) => sent(driver, 'PermissionRequest', BASH)],
    [
      'in a wait of its subagent, after its turn',
      (driver) => {
        sent(driver, 'PermissionRequest', { ...BASH, agent_id: 'a1' });
        sent(driver, 'Stop', { prompt_id: 'p1' });
      },
    ],
    [
      'with background work',
      (driver) =>
        sent(driver, 'Stop', {
          prompt_id: 'p1',
          background: [{ id: 'b', type: 'shell', status: 'running' }],
        }),
    ],
    [
      'while it compacts',
      (driver) => {
        sent(driver, 'Stop', { prompt_id: 'p1' });
        sent(driver, 'PreCompact');
      },
    ],
  ])('%s it leaves an error, without an alert', (_when, make) => {
    const driver = begun();
    make(driver);
    const { alert } = driver.table.signal('claude');
    tells(driver, 'dead', {}, { after: 100 });
    expect(says(driver)).toEqual(['error', 'process_gone', 'blocked']);
    driver.wait(10 * SECOND);
    expect(driver.table.signal('claude').alert).toBe(alert);
  });

  it.each<[string, (driver: Driver) => void]>([
    ['after its turn', (driver) => sent(driver, 'Stop', { prompt_id: 'p1' })],
    ['after an error', (driver) => sent(driver, 'StopFailure', { error: 'overloaded' })],
  ])('%s it is gone', (_when, make) => {
    const driver = begun();
    make(driver);
    tells(driver, 'dead');
    expect(driver.find()).toBeUndefined();
    expect(driver.table.lamp('claude')).toBe('ready');
  });

  it('whatever a file says that it has left behind', () => {
    const driver = begun();
    tells(driver, 'dead');
    tells(driver, 'busy', {}, { ago: 2 * SECOND });
    driver.wait(5 * SECOND);
    expect(says(driver)).toEqual(['error', 'process_gone', 'blocked']);
  });

  it('a late Stop does not make it done; a new prompt is a new turn', () => {
    const driver = begun();
    tells(driver, 'dead');
    sent(driver, 'Stop', { prompt_id: 'p1' });
    expect(says(driver)).toEqual(['error', 'process_gone', 'blocked']);
    sent(driver, 'UserPromptSubmit', { prompt_id: 'p2' });
    expect(says(driver)).toEqual(['running', 'user_prompt', 'active']);
  });

  it('says nothing of a session that nobody knows, or that is gone already', () => {
    const driver = drive();
    expect(tells(driver, 'dead')).toBe('no_change');
    sentBegin(driver);
    tells(driver, 'gone');
    expect(tells(driver, 'dead')).toBe('no_change');
    expect(driver.find()).toBeUndefined();
  });
});
