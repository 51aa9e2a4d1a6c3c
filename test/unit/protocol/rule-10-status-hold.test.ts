import { describe, expect, it } from 'vitest';
import type { StatusReport } from '../../../protocol/session.ts';
import { type Driver, drive, HOUR, MINUTE, SECOND } from '../../support/driving.ts';
import { sent, sentBegin, tells } from '../../support/observing.ts';

const BASH = { tool: 'Bash', digest: '00000000000000aa' };

function observed(value: StatusReport['value'], more: Partial<StatusReport> = {}): Driver {
  const driver = drive();
  sentBegin(driver);
  tells(driver, value, more);
  return driver;
}

describe('rule 10: a status written since the last turn edge holds the timers', () => {
  it.each<[StatusReport['value'], string]>([
    ['busy', 'running'],
    ['shell', 'running'],
    ['waiting', 'needs_user'],
  ])('%s: %s stays, however long', (value, state) => {
    const driver = observed(value);
    driver.wait(5 * HOUR);
    expect([driver.state(), driver.table.nextDeadline()]).toEqual([state, undefined]);
  });

  it('idle holds nothing', () => {
    const driver = observed('idle');
    driver.wait(5 * MINUTE - 1);
    expect(driver.state()).toBe('idle');
    driver.wait(1);
    expect(driver.find()).toBeUndefined();
  });

  it('the time of what it held runs from the last event or status', () => {
    const driver = observed('waiting');
    driver.wait(2 * HOUR);
    tells(driver, 'idle', {}, { after: 0 });
    driver.wait(5 * MINUTE - 1);
    expect(driver.state()).toBe('idle');
    driver.wait(1);
    expect(driver.find()).toBeUndefined();
  });

  it('an older hook’s contest does not end the hold', () => {
    const driver = observed('busy');
    sent(driver, 'PostToolUse', BASH, { after: 2 * HOUR });
    driver.wait(2 * HOUR);
    expect(driver.state()).toBe('running');
  });

  it('a newer turn edge does: the source does not keep up', () => {
    const driver = observed('busy');
    sent(driver, 'Stop', { prompt_id: 'p1' }, { after: HOUR });
    expect(driver.state()).toBe('done');
    driver.wait(5 * MINUTE);
    expect(driver.find()).toBeUndefined();
  });

  it('so does the source’s own word that the session is gone', () => {
    const driver = observed('busy');
    tells(driver, 'gone');
    driver.wait(HOUR);
    expect(driver.table.nextDeadline()).toBeUndefined();
  });

  it('the hold survives a restart', () => {
    const driver = observed('busy');
    const again = drive();
    again.wait(driver.now() - again.now());
    again.table.restore({ sessions: [...driver.table.sessions()], providers: [] }, again.now());
    again.wait(5 * HOUR);
    expect(again.state()).toBe('running');
  });
});

describe('rule 5: agent_needs_input and what the status says', () => {
  /** A notification of 6 s after a dialog, in auto mode with a tool under way. */
  function noticed(prepare: (driver: Driver) => void): Driver {
    const driver = drive();
    sentBegin(driver);
    sent(driver, 'PreToolUse', { ...BASH, permission_mode: 'auto' });
    prepare(driver);
    sent(driver, 'Notification', { notification: 'agent_needs_input' });
    return driver;
  }

  it('raises when the status says waiting', () => {
    const driver = noticed((told) => {
      tells(told, 'waiting', { waiting_for: 'permission prompt' });
      // Its hook closes the wait, and the status has not won it back yet.
      sent(told, 'PostToolBatch', {});
      sent(told, 'Notification', { notification: 'agent_needs_input' }, { after: 10 });
    });
    expect(driver.kinds()).toContain('notification');
  });

  it.each(['busy', 'shell'] as const)('not when it says %s: it is about another session', (value) => {
    expect(noticed((driver) => tells(driver, value)).state()).toBe('running');
  });

  it('a source that is stuck says nothing: then the mode and the tool count', () => {
    const driver = noticed((told) => {
      tells(told, 'busy');
      sent(told, 'UserPromptSubmit', { prompt_id: 'p2' });
      sent(told, 'PreToolUse', { ...BASH, permission_mode: 'auto' });
      told.wait(2 * SECOND);
      expect(told.the().status).toMatchObject({ stuck: true });
    });
    expect([driver.state(), driver.kinds()]).toEqual(['needs_user', ['notification']]);
  });
});
