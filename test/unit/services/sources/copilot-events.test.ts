import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { until } from '../../../support/until.ts';
import { runningSession, startWatching } from '../../../support/watching.ts';

vi.setConfig({ testTimeout: 60_000 });

const only = ['copilot_events'] as const;

function line(type: string, data: object = {}, ago = 0): string {
  return `${JSON.stringify({ type, data, id: 'x', timestamp: new Date(Date.now() - ago).toISOString() })}\n`;
}

it('what a session’s log tells and no hook does: the young, once a hook has named it, in its own folder alone', async () => {
  const home = temporaryFolder();
  const folder = join(home, '.copilot', 'session-state', 's1');
  mkdirSync(folder, { recursive: true });
  const log = join(folder, 'events.jsonl');
  writeFileSync(log, line('abort', { reason: 'old' }, 3_600_000) + line('user.message', {}, 1000));
  const { sources, events, state } = await startWatching({ only, home });
  expect(state('copilot_events')).toMatchObject({ on: true, watched: 0 });
  for (const id of ['../../s1', 's1'])
    sources.changed(
      new Map([[id, runningSession(id, { provider: 'copilot' }, { last_hook_at: Date.now() })]]),
    );
  appendFileSync(
    log,
    line('permission.completed', { requestId: 'r1', toolCallId: 'c1', result: { kind: 'cancelled' } }),
  );
  appendFileSync(log, line('abort', { reason: 'the canary sings' }));
  await until(() => events.length >= 3);
  expect(events.map(({ event, session_id }) => `${event} ${session_id}`)).toEqual([
    'UserPromptSubmit s1',
    'PermissionDenied s1',
    'Interrupt s1',
  ]);
  expect(new Set(events.map(({ id }) => id)).size).toBe(3);
  expect(JSON.stringify(events)).not.toContain('canary');
  sources.changed(new Map([['s1', undefined]]));
  expect(state('copilot_events').watched).toBe(0);
});

it('without Copilot it is off', async () => {
  const { state } = await startWatching({ only });
  expect(state('copilot_events')).toMatchObject({ on: false, why: 'Copilot keeps no logs here' });
});
