import { describe, expect, it } from 'vitest';
import { adapt } from '../../../../protocol/adapters/adapt.ts';
import type { CanonicalEvent } from '../../../../protocol/events.ts';
import { replay } from '../../../../protocol/replay.ts';
import {
  readRecording,
  recordedEvent,
  recordedLine,
  recordedProviders,
  recordingEnd,
  recordingStart,
  zeroOf,
} from '../../../../protocol/sources/recording.ts';
import { CONTEXT, RECEIVED } from '../../../support/adapting.ts';
import { tableOptions } from '../../../support/driving.ts';

const event = (name: CanonicalEvent['event'], more: Partial<CanonicalEvent> = {}): CanonicalEvent => ({
  v: 1,
  event: name,
  provider: 'claude',
  session_id: 's1',
  cwd: '/home/dev/shop',
  host: 'laptop',
  ...more,
});

const textOf = (lines: readonly object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

describe('an event of a hub’s log as a line', () => {
  it.each<[string, CanonicalEvent]>([
    ['by hand', event('PermissionRequest', { tool: 'Bash', digest: '0123456789abcdef' })],
    ['in an envelope', event('Stop', { sent_at: RECEIVED - 40, id: 'a', enveloped: true, ppid: 7 })],
    ['a signal for all', { v: 1, event: 'Signal', signal: 'paused', provider: 'all', host: 'laptop' }],
  ])('comes back as it was: %s', (_name, original) => {
    const [line] = readRecording(textOf([recordedLine(original, 12, true)]));
    expect(line?.tMs).toBe(12);
    expect(line && recordedEvent(line, RECEIVED, CONTEXT)).toEqual(original);
  });

  it('tells of what was spooled that it was, and of nothing else', () => {
    expect(recordedLine(event('Stop', { sent_at: 5 }), 12, false)).toMatchObject({
      live: false,
      receivedAtMs: 5,
    });
    expect(Object.keys(recordedLine(event('Stop'), 12, true))).toEqual(['tMs', 'argv', 'stdin']);
  });

  it('the recording’s zero is when it began, whatever clocks its senders have', () => {
    const lines = [
      recordingStart(RECEIVED),
      recordedLine(event('Stop', { sent_at: 1 }), 12, true),
      recordingEnd(20),
    ];
    expect(zeroOf(readRecording(textOf(lines)))).toBe(RECEIVED);
  });

  it('names its provider, each once; a client’s recording names none', () => {
    const lines = [
      recordedLine(event('Stop', { provider: 'aider' }), 1, true),
      recordedLine(event('Stop', { provider: 'aider' }), 2, true),
      { tMs: 3, argv: ['claude', 'Stop'], stdin: { hook_event_name: 'Stop', session_id: 's' } },
    ];
    expect(recordedProviders(lines)).toEqual(['aider']);
  });
});

describe('the replay of a hub’s recording', () => {
  const wait = (live: boolean) =>
    replay(
      textOf([
        recordingStart(RECEIVED),
        recordedLine(event('UserPromptSubmit'), 10, true),
        recordedLine(event('PermissionRequest', { tool: 'Bash', sent_at: RECEIVED + 20 }), 100, live),
        recordingEnd(10_000),
      ]),
      { table: tableOptions(), adapting: CONTEXT, sources: true },
    );

  it('alerts for what came live', () => {
    expect(wait(true).alerts.map(({ t_ms }) => t_ms)).toEqual([600]);
  });

  it('alerts for what came late once it is known to stand (spec: state, rule 11)', () => {
    expect(wait(false).alerts.map(({ t_ms }) => t_ms)).toEqual([2100]);
  });
});

describe('a sender’s time', () => {
  const sentAt = (sent_at: number | undefined) =>
    adapt(
      { provider: 'claude', payload: JSON.stringify({ ...event('Stop'), sent_at }), received: RECEIVED },
      CONTEXT,
    );

  it.each([
    ['after the arrival counts as the arrival, and by how much is told', RECEIVED + 70, RECEIVED, 70],
    ['at the arrival is as it is', RECEIVED, RECEIVED, undefined],
    ['before the arrival is as it is', RECEIVED - 70, RECEIVED - 70, undefined],
    ['that is not known is not made up', undefined, undefined, undefined],
  ])('%s', (_name, sent, kept, ahead) => {
    const adapted = sentAt(sent);
    expect(adapted.ok && [adapted.event.sent_at, adapted.ahead_ms]).toEqual([kept, ahead]);
  });
});
