import { describe, expect, it, vi } from 'vitest';
import { clearedData, pausesData, waitsData } from '../../protocol/messages/words.ts';
import { viewBus } from '../support/bus-viewer.ts';
import { type HubProcess, startHub } from '../support/hub.ts';
import { payload } from '../support/payloads.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 120_000 });

async function send(hub: HubProcess, name: string, session: string, more: object = {}): Promise<void> {
  const [provider = ''] = name.split('/');
  const body = { ...payload(name), session_id: session, cwd: `/home/me/${session}`, ...more };
  const response = await fetch(`${hub.url}/hook/${provider}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(204);
}

/** A hub in which web-shop waits, and has alerted. */
async function waiting(): Promise<HubProcess> {
  const hub = await startHub();
  await send(hub, 'claude/PermissionRequest', 'web-shop');
  const bus = await viewBus({ port: hub.mqtt_port });
  await bus.untilSignal('claude', ({ alert }) => alert === 1);
  return hub;
}

describe('the user’s words', () => {
  it('ack: said, shown, and kept over kill -9', async () => {
    const first = await waiting();
    expect(await runCli(['ack', 'web'], first)).toMatchObject({
      status: 0,
      stdout: 'acknowledged: web-shop (Claude, permission)\n',
      stderr: '',
    });
    await first.end('SIGKILL');
    const hub = await startHub({ home: first.home });
    const again = await runCli(['ack', 'web'], hub);
    expect(again).toMatchObject({
      status: 0,
      stdout: 'Nothing to acknowledge: web-shop (Claude) waits, and you know of it.\n',
    });
    expect((await runCli(['ack'], hub)).stdout).toBe('Nothing to acknowledge: no session waits.\n');
    const { stdout } = await runCli(['sessions'], hub);
    expect(stdout).toMatch(/web-shop +running .*permission \(Bash, acknowledged\)/);
    const why = (await runCli(['explain', 'web'], hub)).stdout.replace(/\s+/g, ' ');
    expect(why).toMatch(/acknowledged \d+ \w+ ago by local/);
    const bus = await viewBus({ port: hub.mqtt_port });
    expect(await bus.untilSignal('claude', () => true)).toMatchObject({ lamp: 'active', alert: 1 });
    await send(hub, 'claude/PermissionRequest', 'web-shop', { tool_name: 'Edit' });
    await bus.untilSignal('claude', ({ alert, lamp }) => alert === 2 && lamp === 'permission');
  });

  it('pause: shown, kept over kill -9, over when its time has passed', async () => {
    const first = await waiting();
    const { stdout } = await runCli(['pause'], first);
    expect(stdout).toBe('paused: everything, until you say "signalbox resume"\n');
    await first.end('SIGKILL');
    const second = await startHub({ home: first.home });
    const status = await runCli(['status'], second);
    expect(status.stdout).toMatch(/^ = {3}Claude waiting: web-shop[^]*permission, lamp paused/);
    expect((await runCli(['resume'], second)).stdout).toBe('resumed: everything\n');
    expect((await runCli(['resume'], second)).stdout).toBe('Nothing is paused.\n');
    const timed = await runCli(['pause', '0.001', '--json'], second);
    expect(pausesData.parse(JSON.parse(timed.stdout)).paused).toMatchObject([{ by: 'local' }]);
    await second.end('SIGKILL');
    const third = await startHub({ home: first.home });
    const bus = await viewBus({ port: third.mqtt_port });
    await bus.untilSignal('claude', ({ lamp }) => lamp === 'permission');
    expect(bus.of('signal/claude').some((signal) => signal.includes('"alert":2'))).toBe(false);
  });

  it('pause of one agent; resume says what stays paused', async () => {
    const hub = await waiting();
    expect((await runCli(['pause', '30', '--provider', 'Codex'], hub)).stdout).toMatch(
      /^paused: Codex, until \d\d:\d\d:\d\d \((30|29) min\)\n$/,
    );
    await runCli(['pause'], hub);
    expect((await runCli(['resume', '--provider', 'codex'], hub)).stdout).toBe(
      'resumed: Codex\nStill paused: everything, until you say "signalbox resume"\n',
    );
    expect((await runCli(['pause', '--session', 'web'], hub)).stdout).toMatch(
      /^paused: session [0-9a-f]{12} \(Claude\), until you say "signalbox resume --session [0-9a-f]{12}"\n$/,
    );
  });

  it('snooze: until when, and nothing where nothing waits', async () => {
    const hub = await waiting();
    const { stdout } = await runCli(['snooze', '--minutes', '5'], hub);
    expect(stdout).toMatch(/^snoozed until \d\d:\d\d:\d\d: web-shop \(Claude, permission\)\n$/);
    const json = await runCli(['snooze', '--provider', 'codex', '--json'], hub);
    expect(waitsData.parse(JSON.parse(json.stdout)).sessions).toEqual([]);
  });

  it('clear: one, or all when that is said', async () => {
    const hub = await waiting();
    await send(hub, 'codex/UserPromptSubmit', 'docs');
    const all = await runCli(['clear'], hub);
    expect([all.status, all.stdout]).toEqual([2, '']);
    expect(all.stderr).toContain('say --all');
    expect((await runCli(['clear', 'web', '--all'], hub)).status).toBe(2);
    expect((await runCli(['clear', 'web'], hub)).stdout).toBe('removed: web-shop (Claude, permission)\n');
    const { stdout } = await runCli(['clear', '--all', '--json'], hub);
    expect(clearedData.parse(JSON.parse(stdout)).sessions).toMatchObject([{ project: 'docs' }]);
    expect((await runCli(['clear', '--all'], hub)).stdout).toMatch(/^No session to remove/);
    expect((await runCli(['sessions'], hub)).stdout).toMatch(/^No session is known/);
  });

  it.each([
    [['ack', 'nobody'], 1, 'no_such_session'],
    [['ack', '--provider', 'nobody'], 2, 'unknown_provider'],
    [['pause', '0'], 2, 'bad_usage'],
    [['pause', '1e9'], 2, 'bad_usage'],
    [['pause', '10081'], 2, 'bad_usage'],
    [['pause', 'NaN'], 2, 'bad_usage'],
    [['pause', '-1'], 2, 'bad_usage'],
    [['pause', ''], 2, 'bad_usage'],
    [['snooze', '--minutes', 'x'], 2, 'bad_usage'],
  ])('%j is refused with the next step', async (args, status, code) => {
    const hub = await startHub();
    const result = await runCli([...args, '--json'], hub);
    const { error } = JSON.parse(result.stdout) as { error: Record<string, string> };
    expect([result.status, error['code']]).toEqual([status, code]);
    expect(error['next']).not.toBe('');
  });

  it('says which sessions a prefix may mean, and that no hub is there', async () => {
    const hub = await startHub();
    for (const session of ['job-1', 'job-2']) await send(hub, 'claude/PermissionRequest', session);
    const several = await runCli(['ack', 'job'], hub);
    expect([several.status, several.stderr]).toEqual([1, expect.stringContaining('Give more of the key.')]);
    const none = await runCli(['ack'], { home: temporaryFolder() });
    expect([none.status, none.stderr]).toEqual([1, expect.stringContaining('signalbox up')]);
  });
});
