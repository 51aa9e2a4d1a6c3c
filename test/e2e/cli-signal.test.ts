import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { startCliHub } from '../support/cli-hub.ts';
import { runCli } from '../support/run-cli.ts';
import { startHub } from '../support/hub.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 60_000 });

describe('signalbox signal', () => {
  it.each([
    [['done'], 'hook/all', { signal: 'done' }],
    [['working', '--provider', 'Claude'], 'hook/claude', { signal: 'working' }],
    [
      ['permission', '--provider', 'codex', '--session', 's-1'],
      'hook/codex',
      { signal: 'permission', session_id: 's-1' },
    ],
  ])('%j', async (args, topic, payload) => {
    const hub = await startCliHub({ home: temporaryFolder() });
    const { status, stdout, stderr } = await runCli(['signal', ...args], hub);
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
    const gated = hub.bus.gated.map((publish) => [
      publish.topic,
      JSON.parse(Buffer.from(publish.payload).toString()),
    ]);
    expect(gated).toEqual([[topic, payload]]);
  });

  it('makes a folder absolute, and prints as JSON what it sent', async () => {
    const home = temporaryFolder();
    const hub = await startCliHub({ home });
    const { stdout } = await runCli(
      ['signal', 'working', '--provider', 'codex', '--cwd', 'shop', '--json'],
      hub,
    );
    expect(JSON.parse(stdout)).toEqual({ provider: 'codex', signal: 'working', cwd: join(home, 'shop') });
  });

  it('reaches a real hub', async () => {
    const hub = await startHub();
    await runCli(['signal', 'permission', '--provider', 'codex', '--cwd', '/work/web-shop'], hub);
    const { stdout } = await runCli(['status', '--json'], hub);
    expect(JSON.parse(stdout)).toMatchObject({
      lamp: 'permission',
      providers: [
        { provider: 'claude', lamp: 'ready' },
        { provider: 'codex', attention: { state: 'needs_user', primary_project: 'web-shop' } },
      ],
    });
  });

  it('tells what a real hub refuses', async () => {
    const hub = await startHub();
    // A provider that this command's settings know and the hub's do not.
    const env = { SIGNALBOX_LOG_LEVEL: 'info' };
    const file = join(temporaryFolder(), 'mine.toml');
    writeFileSync(file, '[providers.aider]\nname = "Aider"\n');
    const args = ['signal', 'done', '--provider', 'aider', '--config', file];
    const { status, stderr } = await runCli(args, { ...hub, env });
    expect(stderr).toContain('The hub refused it: No provider is called "aider" (unknown_provider).');
    expect(status).toBe(1);
  });

  it('lists the names by the lamp they show when there is none of that name', async () => {
    const { status, stderr, stdout } = await runCli(['signal', 'green'], { home: temporaryFolder() });
    expect(stderr).toContain('No lamp signal is called "green".');
    expect(stderr).toContain('done (completed)');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  });

  it.each([
    [['done', '--provider', 'nobody'], 'No provider is called "nobody".'],
    [['done', '--session', 's'], '--session needs --provider'],
    [['done', '--cwd', '.'], '--cwd needs --provider'],
    [[], "Missing required argument 'signal'."],
  ])('%j is wrong use', async (args, words) => {
    const { status, stderr } = await runCli(['signal', ...args], { home: temporaryFolder() });
    expect(stderr).toContain(words);
    expect(status).toBe(2);
  });

  it('fails where the broker does not let it in', async () => {
    const hub = await startCliHub({ home: temporaryFolder() });
    const env = { SIGNALBOX_BROKER_USERNAME: 'me', SIGNALBOX_BROKER_PASSWORD: 'secret-word' };
    const url = `mqtt://127.0.0.1:${hub.bus.port}`;
    const { status, stderr } = await runCli(['signal', 'done', '--broker-url', url], { ...hub, env });
    expect(stderr).toContain('No hub answers');
    expect(stderr).not.toContain('secret-word');
    expect(status).toBe(1);
  });

  it('fails where the broker closes the connection instead of taking it', async () => {
    const hub = await startCliHub({ home: temporaryFolder(), gate: () => Promise.reject(new Error('no')) });
    const { status, stderr } = await runCli(['signal', 'done'], hub);
    expect(stderr).toContain('The broker did not take it');
    expect(status).toBe(1);
  });
});
