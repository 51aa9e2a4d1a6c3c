import { describe, expect, it, vi } from 'vitest';
import { viewBus } from '../support/bus-viewer.ts';
import { curl } from '../support/curl.ts';
import { readHubDatabase } from '../support/hub-database.ts';
import { REQUEST, type Status } from '../support/http-attention.ts';
import { startHub } from '../support/hub.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 120_000 });

describe('POST /attention', () => {
  it('takes an event and a raw signal, and nothing that it says of reason and time', async () => {
    const hub = await startHub();
    const before = Math.floor(Date.now() / 1000);
    const told = { ...REQUEST, reason: 'made_up', updated_at: 5, sent_at: 5, timestamp: 5, since: 5 };
    const answer = await curl(`${hub.url}/attention`, { body: told });
    expect([answer.status, answer.json()]).toEqual([200, { ok: true }]);
    const status = (await curl(`${hub.url}/status`)).json() as Status;
    expect(status.providers[0]).toMatchObject({
      name: 'Claude',
      attention: { state: 'needs_user', count: 1, primary_project: 'web-shop', reason: 'permission_request' },
    });
    expect(status.updated_at).toBeGreaterThanOrEqual(before);
    const [kept] = readHubDatabase(hub.home).events;
    expect(kept?.event).toBe('PermissionRequest');
    expect([kept?.sent_at, kept?.reason]).toEqual([undefined, undefined]);

    const signal = { provider: 'Codex', signal: 'working', cwd: '/srv/docs' };
    expect((await curl(`${hub.url}/attention`, { body: signal })).json()).toEqual({ ok: true });
    // Without a provider it is every one's lamp, as on hook/all.
    expect((await curl(`${hub.url}/attention`, { body: { signal: 'idle' } })).json()).toEqual({ ok: true });
    const after = (await curl(`${hub.url}/status`)).json() as Status;
    expect(after.providers.map(({ name, attention }) => [name, attention.state])).toEqual([
      ['Claude', 'needs_user'],
      ['Codex', 'running'],
    ]);
  });

  it('believes no time, whatever the agent and however it is wrapped', async () => {
    const hub = await startHub();
    const longAgo = Date.UTC(2024, 0, 1);
    const times = { sent_at: longAgo, timestamp: longAgo };
    const written = { ...times, timestamp: new Date(longAgo).toISOString() };
    const before = Math.floor(Date.now() / 1000);
    const bodies: object[] = [];
    for (const provider of ['claude', 'copilot', 'codex']) {
      for (const [form, time] of [times, written].entries()) {
        const session = { session_id: `${provider}-${form}`, cwd: '/srv/shop' };
        const native = { hook_event_name: 'Stop', ...session, ...time };
        bodies.push(
          { provider, event: 'Stop', id: `h${provider}${form}`, ...session, ...time },
          { provider, ...native, session_id: `native-${provider}-${form}` },
          {
            ...{ provider, v: 1, id: `e${provider}${form}`, event: 'Stop', ...time },
            hook: { ...native, session_id: `enveloped-${provider}-${form}` },
          },
        );
      }
    }
    const camel = { sessionId: 'camel', cwd: '/srv/shop', ...times };
    bodies.push({ provider: 'copilot', v: 1, event: 'agentStop', hook: camel });
    for (const body of bodies)
      expect((await curl(`${hub.url}/attention`, { body })).json()).toEqual({ ok: true });
    const { events } = readHubDatabase(hub.home);
    expect(events).toHaveLength(bodies.length);
    expect(events.filter(({ sent_at }) => sent_at !== undefined)).toEqual([]);
    const { sessions } = (await curl(`${hub.url}/sessions?all=true`)).json() as {
      sessions: { since: number }[];
    };
    expect(sessions.every(({ since }) => since >= before)).toBe(true);
  });

  it('answers a refused one with 422 and its code, and publishes nothing', async () => {
    const hub = await startHub();
    const bus = await viewBus({ port: hub.mqtt_port });
    await bus.untilSignal('claude', () => true);
    await bus.untilSignal('codex', () => true);
    const refused: [object | string, string][] = [
      [{ ...REQUEST, provider: 'nobody' }, 'unknown_provider'],
      [{ event: 'Stop', session_id: 's' }, 'bad_shape'],
      [{ provider: 7, event: 'Stop', session_id: 's' }, 'bad_shape'],
      [{ provider: 'claude', event: 'Stop' }, 'no_identity'],
      [{ provider: 'claude', session_id: 's' }, 'unknown_event'],
      [{ provider: 'claude', signal: 'purple' }, 'unknown_signal'],
      [{ provider: 'all', signal: 'working', session_id: 's' }, 'unknown_provider'],
      ['{"provider":', 'bad_json'],
      ['[]', 'bad_json'],
      ['null', 'bad_json'],
      ['', 'bad_json'],
      [`{"provider":"claude","x":${'['.repeat(100_000)}`, 'too_deep'],
    ];
    const headers = ['Content-Type: application/json'];
    const seen = bus.seen.length;
    for (const [body, code] of refused) {
      const answer = await curl(
        `${hub.url}/attention`,
        typeof body === 'string' ? { body, headers } : { body },
      );
      const { ok, error } = answer.json() as { ok: boolean; error: { code: string; message: string } };
      expect([answer.status, ok, error.code]).toEqual([422, false, code]);
      expect(error.message).not.toBe('');
    }
    // What comes after them is the next that anybody hears.
    await curl(`${hub.url}/attention`, { body: REQUEST });
    await bus.untilSignal('claude', ({ attention }) => attention.state === 'needs_user');
    // What was retained before may still come in.
    const told = bus.seen.slice(seen).filter(({ retained }) => !retained);
    const topics = told.map(({ topic }) => topic);
    expect(topics.filter((topic) => topic === 'signalbox/reject' || topic.includes('codex'))).toEqual([]);
    expect(readHubDatabase(hub.home).events).toHaveLength(1);
  });

  it('takes broken UTF-8, a byte order mark and any letters as MQTT does', async () => {
    const hub = await startHub();
    const headers = ['Content-Type: application/json'];
    const body =
      '\ufeff{"provider":"CLAUDE","event":"UserPromptSubmit","session_id":"é\u0000","cwd":"/srv/Ü ber"}';
    expect((await curl(`${hub.url}/attention`, { body, headers })).status).toBe(422);
    const plain = body.replace('\u0000', '\\u0000');
    expect((await curl(`${hub.url}/attention`, { body: plain, headers })).json()).toEqual({ ok: true });
    const broken = await fetch(`${hub.url}/attention`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Buffer.concat([
        Buffer.from('{"provider":"claude","event":"UserPromptSubmit","session_id":"s","cwd":"/srv/'),
        Buffer.from([0xff, 0xfe, 0x80]),
        Buffer.from('"}'),
      ]),
    });
    expect(await broken.json()).toEqual({ ok: true });
    const { sessions } = (await curl(`${hub.url}/sessions`)).json() as { sessions: { project: string }[] };
    expect(sessions.map(({ project }) => project).toSorted()).toEqual(['Ü ber', '\ufffd\ufffd\ufffd']);
  });
});
