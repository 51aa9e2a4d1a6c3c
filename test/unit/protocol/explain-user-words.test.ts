import { describe, expect, it } from 'vitest';
import { requesterText } from '../../../protocol/messages/request.ts';
import { foldIn, NEW_TRACK } from '../../../protocol/fold.ts';
import { restoredTrack } from '../../../protocol/restored-track.ts';
import { eventInput, type Session } from '../../../protocol/session.ts';
import { sessionId } from '../../../protocol/session-key.ts';
import { MINUTE, SECOND, T0, tableOptions } from '../../support/driving.ts';
import { explained, type Teller, telling } from '../../support/explaining.ts';
import { ack, pause, resume } from '../../support/said.ts';

function waiting(): Teller {
  const teller = telling();
  teller.begin();
  teller.hook('PermissionRequest', { tool: 'Bash' });
  teller.wait(SECOND);
  return teller;
}

describe('explain tells what the user has said', () => {
  it('ack: who and when, and not as what would close it', () => {
    const teller = waiting();
    const commands = ['ack'];
    expect(explained(teller, { commands }).open[0]?.closed_by.map(({ by }) => by)).toContain('ack');
    ack(teller);
    teller.wait(5 * SECOND);
    const [open] = explained(teller, { commands }).open;
    expect(open).toMatchObject({ standing: 'acknowledged', acked: { by: 'local', age_s: 5 } });
    expect(open?.closed_by.map(({ by }) => by)).not.toContain('ack');
    const record = { acked_at: undefined, acked_by: undefined } as unknown as Partial<Session>;
    expect(explained(teller, { record }).open[0]?.acked).toMatchObject({ by: '' });
  });

  it.each([
    ['all', 'everything', 'everything'],
    ['claude', 'provider', 'this agent'],
    ['', 'session', 'this session'],
  ])('pause of %j', (named, what, words) => {
    const teller = waiting();
    const scope = named || sessionId('claude', teller.the().key);
    for (const [minutes, time] of [
      [undefined, 'until you resume it'],
      [5, 'for a time'],
    ] as const) {
      resume(teller, scope);
      pause(teller, minutes, scope);
      const pausing = teller.table.pauseOf(teller.the());
      expect(pausing).toBeDefined();
      const told = explained(teller, pausing === undefined ? {} : { pause: pausing });
      expect(told).toMatchObject({
        lamp: 'paused',
        lamp_by: { rule: 'pause' },
        paused: { what, by: 'local' },
      });
      expect(told.lamp_by.words).toContain(`paused ${words}, ${time}`);
      expect(told.paused?.in_s).toBe(minutes === undefined ? undefined : 5 * 60);
    }
    expect(explained(teller).paused).toBeUndefined();
  });

  it('why a wait alerts nobody, or again', () => {
    const teller = telling();
    teller.begin();
    pause(teller);
    teller.hook('PermissionRequest', { tool: 'Bash' });
    resume(teller);
    teller.wait(MINUTE);
    expect(explained(teller).alert).toMatchObject({ outcome: 'none', why: 'paused' });
    const until = teller.now() + MINUTE;
    teller.table.snooze([teller.the()], until, teller.now());
    expect(explained(teller).alert).toMatchObject({ outcome: 'due', why: 'snoozed', at: until / 1000 });
  });
});

it.each([
  [{ role: 'operator', how: 'socket' }, 'local'],
  [{ role: 'operator', how: 'websocket' }, 'operator (websocket)'],
  [{ role: 'operator', user: 'anna', how: 'tcp' }, 'anna'],
  [{ role: 'unknown', how: 'bus' }, 'unknown (bus)'],
] as const)('%j is %s', (requester, text) => {
  expect(requesterText(requester)).toBe(text);
});

it('a session that was cleared begins anew in its log', () => {
  const { rules } = tableOptions();
  const of = { v: 1, provider: 'claude', session_id: 's1', host: 'studio' } as const;
  const prompt = { ...of, event: 'UserPromptSubmit' } as const;
  const stop = { ...of, event: 'Stop' } as const;
  const { facts } = foldIn(NEW_TRACK, undefined, eventInput(stop, T0 + SECOND), rules);
  const logged = [
    { event: prompt, arrival: T0 },
    { cleared: true } as const,
    { event: stop, arrival: T0 + SECOND },
  ];
  const track = restoredTrack(facts as Session, logged, rules);
  expect(track.window).toHaveLength(1);
  expect(track.closed_until).toBe(T0);
});
