import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SessionTable } from '../../../protocol/table.ts';
import { drive, HOUR, MINUTE, SECOND, tableOptions } from '../../support/driving.ts';
import { sent, sentBegin, tells } from '../../support/observing.ts';
import { story, tell } from '../../support/stories.ts';

const BASH = { tool: 'Bash', digest: '00000000000000aa' };

describe('rule 9: decay goes to unknown, never to done', () => {
  it('a turn nobody has ended becomes unknown, and grey', () => {
    const driver = drive();
    sentBegin(driver);
    driver.wait(10 * MINUTE);
    expect([driver.state(), driver.reason(), driver.lamp()]).toEqual(['unknown', 'stale', 'stale']);
  });

  it.each(['busy', 'shell'] as const)(
    'so does what only a status has said, once it is stuck: %s',
    (value) => {
      const driver = drive();
      sentBegin(driver);
      tells(driver, value);
      sent(driver, 'UserPromptSubmit', { prompt_id: 'p2' });
      driver.wait(10 * MINUTE);
      expect(driver.state()).toBe('unknown');
    },
  );

  it('time alone leads to unknown or away, whatever happened before', () => {
    fc.assert(
      fc.property(story, (steps) => {
        const table = new SessionTable(tableOptions());
        let now = tell(table, steps);
        table.takeChanges();
        for (let due = table.nextDeadline(); due !== undefined && due < now + 26 * HOUR; ) {
          now = due;
          table.advance(now);
          // A request that had to prove itself may be raised by its time (rule 8): that is no decay.
          const decayed = table
            .takeChanges()
            // A request that had to prove itself may be raised by its time (rule 8): that is no decay.
            .transitions.filter(({ event_type, from }) => from !== null && event_type !== 'needs_user');
          expect(decayed.filter(({ to }) => to !== null && to !== 'unknown')).toEqual([]);
          due = table.nextDeadline();
        }
      }),
    );
  });

  it('an attention never decays quietly: it stays until its own timeout and leaves the lamp grey', () => {
    const driver = drive();
    sentBegin(driver);
    sent(driver, 'PermissionRequest', BASH);
    driver.wait(HOUR - 1);
    expect([driver.state(), driver.kinds()]).toEqual(['needs_user', ['permission']]);
    driver.wait(1);
    expect(driver.find()).toBeUndefined();
    expect(driver.table.lamp('claude')).toBe('stale');
    driver.wait(SECOND);
    expect(driver.alert()).toBe(1);
  });
});
