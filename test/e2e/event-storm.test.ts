import { expect, it, vi } from 'vitest';
import { viewBus } from '../support/bus-viewer.ts';
import { readHubDatabase } from '../support/hub-database.ts';
import { startHub } from '../support/hub.ts';
import { publishWindow } from '../support/publish-window.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 120_000 });

const EVENTS = 100_000;
const SESSIONS = 1_000;
/**
 * What a hub may hold of a storm is bounded, however many events and sessions: 16,384 steps of all sessions together are kept to be folded again (spec: state, section 4
 * rule 6), about 4 KB each, beside what the hub itself needs. Seen: 360 MB.
 */
const MEMORY = 512 * 1024 * 1024;

const NAMES = ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PermissionRequest', 'Stop'] as const;

it('keeps every acknowledged event of a storm over a thousand sessions, in bounded memory', async () => {
  const hub = await startHub();
  const bus = await viewBus({ port: hub.mqtt_port }, ['signal/claude']);
  let most = 0;
  await publishWindow(hub.mqtt_port, EVENTS, (index) => {
    if (index % 5_000 === 0) most = Math.max(most, hub.memory());
    const session = index % SESSIONS;
    const hook = {
      hook_event_name: NAMES[Math.floor(index / SESSIONS) % NAMES.length],
      session_id: `session-${session}`,
      cwd: `/srv/project-${session}`,
      // A turn a round: the same event twice within a second would be one.
      prompt_id: `prompt-${Math.floor(index / SESSIONS / NAMES.length)}`,
      tool_name: 'Bash',
      tool_input: { command: `make ${index}` },
      tool_use_id: `call-${index}`,
    };
    return { topic: 'hook/claude', payload: JSON.stringify({ v: 1, id: `event-${index}`, hook }) };
  });
  most = Math.max(most, hub.memory());

  const { events, sessions } = readHubDatabase(hub.home);
  expect(events.length).toBe(EVENTS);
  expect(events.every(({ id }, index) => id === `event-${index}`)).toBe(true);
  expect(sessions.length).toBe(SESSIONS);
  expect(most).toBeLessThan(MEMORY);
  // The last events of every session were a Stop.
  const signal = await bus.untilSignal(
    'claude',
    ({ attention }) => attention.count === SESSIONS && attention.state === 'done',
  );
  expect(signal.attention.projects).toHaveLength(3);
}, 300_000);
