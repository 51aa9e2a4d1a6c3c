import { expect, it } from 'vitest';
import { startInProcess, type HubInProcess } from './hub-in-process.ts';

const SECOND = 1_000;

/** A hook in a sender's envelope, as old as it says [ms]. */
async function hook(hub: HubInProcess, name: string, more: object = {}, ago = 0): Promise<void> {
  const payload = { hook_event_name: name, session_id: 's1', cwd: '/home/dev/shop', ...more };
  const envelope = {
    v: 1,
    id: `${name}-${hub.clock.now()}-${ago}`,
    sent_at: hub.clock.now() - ago,
    env: {},
    hook: payload,
  };
  const accepted = await hub.aggregator.accept('claude', JSON.stringify(envelope));
  expect(accepted.ok).toBe(true);
  hub.clock.advance(SECOND);
}

/** The hub ends, and starts again on the same folder. */
async function restarted(hub: HubInProcess): Promise<HubInProcess> {
  await hub.aggregator.stop();
  return startInProcess({ home: hub.home, clock: hub.clock });
}

const BASH = { tool_name: 'Bash', tool_input: { command: 'ls' } };

it('an event that comes late after a restart is put in its place: its answer is in the log', async () => {
  const first = await startInProcess();
  await hook(first, 'SessionStart', { source: 'startup' });
  await hook(first, 'UserPromptSubmit', { prompt: 'x', prompt_id: 'p1' });
  await hook(first, 'PostToolUse', BASH);
  const second = await restarted(first);
  await hook(second, 'PermissionRequest', BASH, 2 * SECOND);
  second.clock.advance(5 * SECOND);
  expect(JSON.parse(second.bus.last('signal/claude') ?? '')).toMatchObject({
    attention: { state: 'running' },
    alert: 0,
  });
});

it('one that is older than the last 30 s changes nothing, then as before', async () => {
  const first = await startInProcess();
  await hook(first, 'UserPromptSubmit', { prompt: 'x', prompt_id: 'p1' });
  first.clock.advance(60 * SECOND);
  await hook(first, 'Stop', { prompt_id: 'p1', last_assistant_message: 'Fine.' });
  const second = await restarted(first);
  await hook(second, 'PermissionRequest', BASH, 40 * SECOND);
  await second.published();
  expect(JSON.parse(second.bus.last('signal/claude') ?? '')).toMatchObject({ attention: { state: 'done' } });
  // It is in the log all the same, and counted.
  expect(second.store.lastEvents().map(({ event }) => event)).toContain('PermissionRequest');
  second.clock.advance(60 * SECOND);
  await second.published();
  expect(JSON.parse(second.bus.last('signalbox/health') ?? '')).toMatchObject({ events: { late: 1 } });
});
