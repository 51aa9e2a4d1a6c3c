import { chmodSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { SenderClock } from '../../services/aggregator/sender-clocks.ts';
import { diagnose, diagnoseAsText } from '../support/doctor.ts';
import { type HubProcess, startHub } from '../support/hub.ts';
import { placeInSpool, runSender, SILENT, writeTestHubFile } from '../support/sender.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 120_000 });

const START = 'signalbox up';
const MINUTE = 60_000;

async function post(hub: HubProcess, provider: string, body: unknown): Promise<number> {
  const { status } = await fetch(`${hub.url}/hook/${provider}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return status;
}

const stop = (session: string) => ({ event: 'Stop', session_id: session, cwd: '/srv/shop' });

describe('doctor', () => {
  it('finds nothing wrong with a hub that works', async () => {
    const hub = await startHub();
    expect(await post(hub, 'claude', stop('s'))).toBe(204);
    const diagnosis = await diagnose({ home: hub.home });
    const { status, wrong, findings, of } = diagnosis;
    expect({ status, wrong }).toEqual({ status: 0, wrong: [] });
    expect(new Set(findings.map(({ check }) => check))).toEqual(
      new Set(
        'node config folder modes disk hub ports broker database events sources refused clocks spool ntfy'.split(
          ' ',
        ),
      ),
    );
    expect(await diagnoseAsText({ home: hub.home }, diagnosis)).toContain('All is well.');
    expect(of('hub')?.data).toMatchObject({ pid: hub.pid, version: hub.version });
    expect(of('events')?.data).toMatchObject({ provider: 'claude', events: [{ event: 'Stop', count: 1 }] });
  });

  it('says that no hub runs, and how to start one, and makes no folder', async () => {
    const home = join(temporaryFolder(), 'not-there');
    const parent = temporaryFolder();
    const { status, wrong, of } = await diagnose({ home: parent, env: { SIGNALBOX_HOME: home } });
    expect({ status, wrong }).toEqual({ status: 1, wrong: ['hub no_hub'] });
    expect(of('hub')?.mend).toContain(START);
    expect(readdirSync(join(home, '..'))).toEqual([]);
  });

  it.each<[string, NodeJS.Signals]>([
    ['has been stopped', 'SIGTERM'],
    ['was killed', 'SIGKILL'],
  ])('knows the events of a hub that %s', async (_how, signal) => {
    const hub = await startHub();
    expect(await post(hub, 'claude', stop('s'))).toBe(204);
    await hub.end(signal);
    const { wrong, of } = await diagnose({ home: hub.home });
    expect(wrong).toEqual(['hub no_hub']);
    expect(of('events')?.message).toContain('Claude: Stop ');
    expect(of('database')?.level).toBe('ok');
  });

  it('tells a hub that hangs from one that is gone', async () => {
    const home = temporaryFolder();
    // This process is there, and nothing listens on port 1.
    await writeTestHubFile(home, { mqtt_port: 1, http_port: 1 });
    const { status, of } = await diagnose({ home });
    expect([status, of('hub')?.code, of('broker')?.code]).toEqual([1, 'hub_silent', 'broker_unreachable']);
    expect(of('hub')?.mend).toContain(String(process.pid));
  });

  it('names senders whose clock is minutes off, and by how much, also without the hub', async () => {
    const hub = await startHub();
    const envelope = (host: string, sent_at: number, session: string) => ({
      ...{ v: 1, id: `${host} ${session}`, host, sent_at },
      hook: stop(session),
    });
    const now = Date.now();
    expect(await post(hub, 'codex', envelope('laptop', now - 11 * MINUTE, 'a'))).toBe(204);
    expect(await post(hub, 'claude', envelope('pi', now + 5 * MINUTE, 'b'))).toBe(204);
    expect(await post(hub, 'claude', envelope('right', now, 'c'))).toBe(204);
    // One that has been mended since.
    expect(await post(hub, 'gemini', envelope('mended', now + 60 * MINUTE, 'd'))).toBe(204);
    expect(await post(hub, 'gemini', envelope('mended', Date.now(), 'e'))).toBe(204);
    const running = await diagnose({ home: hub.home });
    await hub.end('SIGKILL');
    const dead = await diagnose({ home: hub.home });
    for (const { findings } of [running, dead]) {
      const clocks = findings.filter(({ code }) => code === 'sender_clock');
      const told = clocks.map(({ data }) => data as SenderClock);
      expect(told.map(({ provider, host }) => `${provider} ${host}`)).toEqual(['codex laptop', 'claude pi']);
      expect(clocks[0]?.message).toMatch(/^Codex on laptop: dated 1\d min behind/);
      expect(clocks[1]?.message).toMatch(/^Claude on pi: dated [1-5] min ahead/);
      expect(clocks[1]?.mend).toContain('Set the clock of pi');
    }
    await diagnoseAsText({ home: hub.home }, dead);
    expect(running.status).toBe(0);
  });

  it('names what was refused, by provider and code', async () => {
    const hub = await startHub();
    expect(await post(hub, 'claude', '{')).toBe(422);
    expect(await post(hub, 'claude', '{')).toBe(422);
    const { status, findings } = await diagnose({ home: hub.home });
    expect(status).toBe(0);
    expect(findings.find(({ check }) => check === 'refused')).toMatchObject({
      code: 'bad_json',
      data: { provider: 'claude', count: 2 },
      mend: expect.stringContaining('one JSON object'),
    });
  });

  it('names files that others may read, with the command that closes them', async () => {
    const hub = await startHub();
    chmodSync(join(hub.home, 'hub.json'), 0o644);
    chmodSync(hub.home, 0o755);
    const { status, of } = await diagnose({ home: hub.home });
    expect([status, of('modes')?.code]).toEqual([0, 'open_modes']);
    expect(of('modes')?.mend).toBe(`chmod 700 ${hub.home}; chmod 600 ${join(hub.home, 'hub.json')}`);
  });

  it('tells what waits in the spool, what was dropped there and what was no event', async () => {
    const home = temporaryFolder();
    expect(await runSender(['claude'], { home, input: stop('s') })).toEqual(SILENT);
    const waiting = await diagnose({ home });
    expect(waiting.of('spool')).toMatchObject({ code: 'spool_waits', mend: expect.stringContaining(START) });

    placeInSpool(home, '1700000000000000-abc.3.json', 'no!');
    writeFileSync(join(home, 'spool', 'dropped'), '...');
    const hub = await startHub({ home });
    await until(() => readdirSync(join(home, 'spool')).every((name) => name.endsWith('.bad')));
    const { status, findings } = await diagnose({ home });
    const spool = findings.filter(({ check }) => check === 'spool');
    expect(spool.map(({ code }) => code)).toEqual(['spool_damaged', 'spool_dropped']);
    expect(spool[1]?.data).toEqual({ dropped: 3 });
    expect(status).toBe(0);

    // Known also when no hub runs, and told no more than once.
    await hub.end('SIGTERM');
    rmSync(join(home, 'spool'), { recursive: true });
    expect((await diagnose({ home })).of('spool')?.data).toEqual({ dropped: 3 });
  });
});
