import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { viewBus } from '../support/bus-viewer.ts';
import { readHubDatabase } from '../support/hub-database.ts';
import { startHub } from '../support/hub.ts';
import { startPluginProcess } from '../support/plugin-process.ts';
import { runCli } from '../support/run-cli.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 300_000 });

/** Amp itself was not run: it works with an account alone. What it hands over is made up after its plugin interface, and an object of ours stands for `amp`. */
it('a thread of Amp, through the plugin, the sender and the hub', async () => {
  const hub = await startHub();
  const { status, stdout } = await runCli(['hooks', 'install', 'amp', '--yes'], { home: hub.home });
  expect([status, stdout]).toEqual([0, expect.stringContaining('went through the sender and arrived')]);
  // Bun loads it as it is; this Node knows no TypeScript, and the file is JavaScript in all but its name.
  const plugin = join(hub.home, 'signalbox.mjs');
  copyFileSync(join(hub.home, '.config/amp/plugins/signalbox.ts'), plugin);
  const amp = startPluginProcess(plugin, hub.home);
  const bus = await viewBus({ port: hub.mqtt_port });
  const thread = { id: 'T-0001' };
  const called = { thread, toolUseID: 'toolu_1', tool: 'Bash', input: { cmd: 'ls' } };
  const is = (state: string) =>
    bus.untilSignal('amp', ({ attention }) => attention.state === state && attention.primary_project !== '');

  expect(await amp.call('session.start', { thread })).toBeNull();
  expect(await amp.call('agent.start', { thread, id: 'm1', message: 'hello' })).toEqual({});
  await is('running');
  expect(await amp.call('tool.call', called)).toEqual({ action: 'allow' });
  expect(await amp.call('tool.result', { ...called, status: 'done', output: 'a' })).toBeNull();
  expect(await amp.call('agent.end', { thread, id: 'm1', status: 'done', messages: [] })).toBeNull();
  await is('done');
  await amp.call('agent.start', { thread, id: 'm2', message: 'more' });
  await is('running');
  await amp.call('agent.end', { thread, id: 'm2', status: 'error' });
  await is('error');
  await amp.call('agent.start', { thread, id: 'm3', message: 'again' });
  await is('running');
  await amp.call('agent.end', { thread, id: 'm3', status: 'cancelled' });
  await bus.untilSignal('amp', ({ attention }) => attention.state === 'idle');

  const events = readHubDatabase(hub.home).events.slice(1);
  expect(events.map(({ event }) => event)).toEqual([
    'SessionStart',
    'UserPromptSubmit',
    'PreToolUse',
    'PostToolUse',
    'Stop',
    'UserPromptSubmit',
    'StopFailure',
    'UserPromptSubmit',
    'Interrupt',
  ]);
  expect(events.every(({ session_id, cwd }) => session_id === 'T-0001' && cwd === hub.home)).toBe(true);
  expect(events[2]).toMatchObject({ tool: 'Bash', call: 'toolu_1' });
  expect([await amp.end(), amp.output()]).toEqual([0, '']);
});
