import { describe, expect, it, vi } from 'vitest';
import { explainData } from '../../protocol/messages/explain.ts';
import { startCliHub } from '../support/cli-hub.ts';
import { type HubProcess, startHub } from '../support/hub.ts';
import { payload } from '../support/payloads.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openTerminal } from '../support/tmux.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 60_000 });

/** Hands a real payload over, of another session and folder. */
async function send(hub: HubProcess, name: string, session: string, folder: string): Promise<void> {
  const [provider = ''] = name.split('/');
  const response = await fetch(`${hub.url}/hook/${provider}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...payload(name), session_id: session, cwd: folder }),
  });
  expect(response.status).toBe(204);
}

describe('signalbox explain', () => {
  it('tells in a terminal why a session waits, and stays within its columns', async () => {
    const hub = await startHub();
    for (const event of ['SessionStart-startup', 'UserPromptSubmit', 'PreToolUse-Bash', 'PermissionRequest'])
      await send(hub, `claude/${event}`, '7b1e4f00-aaaa', '/home/me/web-shop');
    const terminal = await openTerminal({ home: hub.home, rows: 50 });
    await terminal.signalbox('explain 7b1e');
    await terminal.waitFor((lines) => lines.includes('ready$') && lines.includes('Heard lately'));
    const lines = await terminal.screen();
    expect(lines.find((line) => line.includes('web-shop  waiting (permission)'))).toMatch(/^ ! {3}Claude/);
    expect(lines).toEqual(
      expect.arrayContaining([
        'Why',
        expect.stringMatching(/^ {2}By the hook PermissionRequest, /) as string,
        'Still open',
        expect.stringMatching(
          /^ {2}permission for Bash, open for \d+ s, by the hook PermissionRequest$/,
        ) as string,
        'What changes it',
        expect.stringMatching(/^ {2}in 59 min: it leaves the table/) as string,
        expect.stringMatching(/ UserPromptSubmit$/) as string,
      ]),
    );
  });

  it('of all in short; as JSON with everything', async () => {
    const hub = await startHub();
    await send(hub, 'claude/StopFailure-overloaded', 'failed-1', '/home/me/docs');
    await send(hub, 'codex/UserPromptSubmit', 'runs-1', '/home/me/infra');
    const short = await runCli(['explain'], hub);
    expect(short.stdout).toMatch(/docs {2}failed \(overloaded\)[^]*infra {2}running/);
    const { stdout, status } = await runCli(['explain', '--json', '--provider', 'Codex'], hub);
    const { explanations, left_out } = explainData.parse(JSON.parse(stdout));
    expect([status, left_out]).toEqual([0, 0]);
    expect(explanations).toMatchObject([
      {
        session_id: 'runs-1',
        state: 'running',
        decided_by: { rule: 'turn_runs', evidence: { what: 'UserPromptSubmit' } },
      },
    ]);
  });

  it('says which sessions there are when none fits, and which fit when several do', async () => {
    const hub = await startHub();
    await send(hub, 'claude/UserPromptSubmit', 'job-1', '/home/me/docs');
    await send(hub, 'claude/UserPromptSubmit', 'job-2', '/home/me/shop');
    const none = await runCli(['explain', 'other'], hub);
    expect(none).toMatchObject({ status: 1, stdout: '' });
    expect(none.stderr).toMatch(/No session fits "other": there are [0-9a-f]{12} \(claude, (docs|shop)\)/);
    const several = await runCli(['explain', 'job', '--json'], hub);
    expect(several.status).toBe(1);
    const { error } = JSON.parse(several.stdout) as { error: Record<string, string> };
    expect(error).toMatchObject({ code: 'ambiguous_session', next: 'Give more of the key.' });
    expect(error['message']).toMatch(/^"job" fits more than one session: .*docs.*shop|shop.*docs/);
  });

  it('says what to do where the hub has no socket', async () => {
    const hub = await startHub({ env: { SIGNALBOX_BROKER_SOCKET: 'false' } });
    const { status, stderr, stdout } = await runCli(['explain'], hub);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/can only be reached over TCP \(127\.0\.0\.1:\d+\)/);
    expect(stderr).toContain('Set broker.socket = true');
  });

  it('says so where no hub is', async () => {
    const { status, stdout } = await runCli(['explain', '--json'], { home: temporaryFolder() });
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'no_hub' } });
  });

  it('says so where the broker closes the connection on a request', async () => {
    const { bus, home } = await startCliHub({ home: temporaryFolder() });
    const { status, stdout } = await runCli(
      ['explain', '--json', '--broker-url', `mqtt://127.0.0.1:${bus.port}`],
      { home },
    );
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'not_taken' } });
  });

  it.each([
    [
      'that it knows',
      { ok: false, error: { code: 'no_such_session', message: 'No session fits "x": all are gone.' } },
      { code: 'no_such_session', message: 'No session fits "x": all are gone.' },
    ],
    [
      'of a newer hub',
      { ok: false, error: { code: 'too_new', message: 'Not today.' } },
      { code: 'refused', message: 'The hub refused it: Not today (too_new).' },
    ],
    [
      'whose next step it can’t fill in',
      { ok: false, error: { code: 'port_taken', message: 'Taken.' } },
      { code: 'refused', message: 'The hub refused it: Taken (port_taken).' },
    ],
    ['that is no explanation', { ok: true, data: 7 }, { code: 'unexpected' }],
  ])('tells an answer %s', async (_what, answer, told) => {
    const hub = await startCliHub({ home: temporaryFolder() });
    const answering = await hub.bus.hub();
    await answering.subscribe('signalbox/request/explain');
    const ended = runCli(['explain', 'x', '--json'], hub);
    const request = await answering.nextMessage('signalbox/request/explain');
    const { transaction, session } = JSON.parse(request.payload) as Record<string, string>;
    expect(session).toBe('x');
    // Somebody else's answer is nobody's here.
    await hub.publish('response', { command: 'explain' }, { transaction: 'other', ok: true, data: {} });
    await hub.publish('response', { command: 'explain' }, JSON.stringify({ transaction, ...answer }));
    const { stdout, status } = await ended;
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ error: told });
  });

  it('does not wait for ever for an answer', async () => {
    const hub = await startCliHub({ home: temporaryFolder() });
    const { stdout } = await runCli(['explain', '--json'], hub);
    const { error } = JSON.parse(stdout) as { error: Record<string, string> };
    expect(error).toMatchObject({ code: 'no_hub' });
    expect(error['message']).toContain('takes the request, but nobody answers it');
  });
});
