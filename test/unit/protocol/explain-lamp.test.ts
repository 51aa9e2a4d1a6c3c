import { describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../support/driving.ts';
import { explained, type Teller, telling } from '../../support/explaining.ts';

const asked = { tool: 'Bash', digest: '00000000000000aa' };

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
