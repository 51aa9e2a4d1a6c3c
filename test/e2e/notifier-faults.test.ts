import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { explainData } from '../../protocol/messages/explain.ts';
import { viewBus } from '../support/bus-viewer.ts';
import { diagnose, freePort } from '../support/doctor.ts';
import { type HubProcess, startHub } from '../support/hub.ts';
import { connect } from '../support/mqtt-client.ts';
import { startNtfy } from '../support/ntfy.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 120_000 });

const WAIT = JSON.stringify({
  event: 'PermissionRequest',
  session_id: 'web-shop',
  cwd: '/srv/web-shop',
  tool_name: 'Bash',
});

async function publish(hub: HubProcess, payload: string): Promise<void> {
  const client = await connect({ port: hub.mqtt_port });
  await client.publish('hook/codex', payload);
  await client.close();
}

const settings = (server: string, topic = 'agents'): Record<string, string> => ({
  SIGNALBOX_NOTIFY_ENABLED: 'true',
  SIGNALBOX_NOTIFY_SERVER: server,
  SIGNALBOX_NOTIFY_TOPIC: topic,
});

describe('explain', () => {
  it('tells what was sent and what was not, and why, for people and for scripts', async () => {
    const ntfy = await startNtfy();
    const env = { ...settings(ntfy.url), SIGNALBOX_NOTIFY_PRIORITIES_QUESTION: '0' };
    const hub = await startHub({ env });
    await publish(hub, WAIT);
    await ntfy.untilEvents('agents', 'message', 1);
    const told = async (): Promise<string[]> => {
      const { stdout } = await runCli(['explain', 'web-shop', '--json'], { home: hub.home });
      const { explanations } = explainData.parse(JSON.parse(stdout));
      return (explanations[0]?.phone ?? []).map(({ outcome, why }) => `${outcome} ${why}`.trimEnd());
    };
    await until(async () => (await told()).length > 0);
    expect(await told()).toEqual(['sent']);
    const { stdout } = await runCli(['explain', 'web-shop'], { home: hub.home });
    expect(stdout).toMatch(/^Phone\n {2}.*: Sent with priority 4\.$/m);
  });

  it('says nothing of the phone where none is told', async () => {
    const hub = await startHub();
    await publish(hub, WAIT);
    const { stdout } = await runCli(['explain', 'web-shop'], { home: hub.home });
    expect(stdout).not.toContain('Phone');
  });
});

describe('doctor', () => {
  it('says that it is off, that the topic is shared, that the hub knows nothing of it', async () => {
    const ntfy = await startNtfy();
    const hub = await startHub();
    await publish(hub, WAIT);
    expect((await diagnose({ home: hub.home })).of('ntfy')?.message).toMatch(/^off/);
    const env = settings(ntfy.url, 'claudeCodeWaitingOnYou');
    const { wrong, of } = await diagnose({ home: hub.home, env });
    expect(wrong).toEqual(['ntfy shared_topic', 'ntfy notify_not_running']);
    expect(of('ntfy')?.mend).toContain('notify.topic');
  });

  it('tells how the server stands and what became of the last message', async () => {
    const ntfy = await startNtfy();
    const env = settings(ntfy.url);
    const hub = await startHub({ env });
    await publish(hub, WAIT);
    await ntfy.untilEvents('agents', 'message', 1);
    const bus = await viewBus({ port: hub.mqtt_port });
    await until(() => (bus.last('signalbox/health') ?? '').includes('"outcome":"sent"'));
    const { wrong, findings } = await diagnose({ home: hub.home, env });
    expect(wrong).toEqual([]);
    const said = findings.filter(({ check }) => check === 'ntfy').map(({ message }) => message);
    expect(said).toEqual([`${ntfy.url} answers`, expect.stringMatching(/^the last message was taken /)]);
    await ntfy.stop();
    expect((await diagnose({ home: hub.home, env })).wrong).toEqual(['ntfy ntfy_unreachable']);
  });

  it('says that a message waits for a server that is down', async () => {
    const env = settings(`http://127.0.0.1:${await freePort()}`);
    const hub = await startHub({ env });
    const bus = await viewBus({ port: hub.mqtt_port });
    await publish(hub, WAIT);
    await until(() => JSON.parse(bus.last('signalbox/health') ?? '{}').notifier?.waiting === 1);
    const { wrong } = await diagnose({ home: hub.home, env });
    expect(wrong).toEqual(['ntfy ntfy_unreachable', 'ntfy ntfy_waiting']);
  });

  it.each([['a server that refuses', 'agents', 'ntfy ntfy_failed']])(
    'tells of %s',
    async (_what, topic, wrong) => {
      const ntfy = await startNtfy({
        config: (folder) => [`auth-file: "${folder}/user.db"`, 'auth-default-access: "deny-all"'],
      });
      const env = settings(ntfy.url, topic);
      const hub = await startHub({ env });
      await publish(hub, WAIT);
      const bus = await viewBus({ port: hub.mqtt_port });
      await until(() => (bus.last('signalbox/health') ?? '').includes('"why":"not_authorised"'));
      const found = await diagnose({ home: hub.home, env });
      expect(found.wrong).toEqual([wrong]);
      expect(found.of('ntfy')?.mend).toContain('notify.token_file');
    },
  );

  it('tells of credentials that are missing, and of a server that is none', async () => {
    const home = temporaryFolder();
    const env = {
      ...settings(`http://127.0.0.1:${await freePort()}`),
      SIGNALBOX_NOTIFY_USERNAME: 'me',
    };
    expect((await diagnose({ home, env })).wrong).toEqual([
      'hub no_hub',
      'ntfy no_password',
      'ntfy ntfy_unreachable',
    ]);
    const missing = { ...env, SIGNALBOX_NOTIFY_TOKEN_FILE: join(home, 'token') };
    expect((await diagnose({ home, env: missing })).wrong).toContain('ntfy config_bad_value');
  });
});

describe('the notifier’s database', () => {
  it('that can not be opened stops neither bus nor message, and doctor says so', async () => {
    const ntfy = await startNtfy();
    const home = temporaryFolder();
    mkdirSync(join(home, 'notifier.db'), { mode: 0o700 });
    const env = settings(ntfy.url);
    const hub = await startHub({ home, env });
    const bus = await viewBus({ port: hub.mqtt_port });
    await publish(hub, WAIT);
    await bus.untilSignal('codex', ({ alert, lamp }) => alert === 1 && lamp === 'permission');
    await ntfy.untilEvents('agents', 'message', 1);
    expect((await diagnose({ home, env })).wrong).toEqual(['ntfy database_unusable']);
    expect(await hub.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  it('that is damaged at the start is moved aside, and doctor says so', async () => {
    const ntfy = await startNtfy();
    const home = temporaryFolder();
    writeFileSync(join(home, 'notifier.db'), 'no database at all '.repeat(500), { mode: 0o600 });
    const env = settings(ntfy.url);
    const hub = await startHub({ home, env });
    await publish(hub, WAIT);
    const bus = await viewBus({ port: hub.mqtt_port });
    // The hub has written what came of it: a look at the folder finds it at rest.
    await until(() => (bus.last('signalbox/health') ?? '').includes('"notifier":{"sent":1'));
    expect((await diagnose({ home, env })).wrong).toEqual(['database database_moved_aside']);
  });
});
