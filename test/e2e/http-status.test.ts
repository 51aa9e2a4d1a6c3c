import { describe, expect, it, vi } from 'vitest';
import { viewBus } from '../support/bus-viewer.ts';
import { curl } from '../support/curl.ts';
import { REQUEST, type Status } from '../support/http-attention.ts';
import { startHub } from '../support/hub.ts';
import { until } from '../support/until.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 120_000 });

describe('GET /status', () => {
  it('lists idle providers too, in registry order', async () => {
    const hub = await startHub();
    const empty = (await curl(`${hub.url}/status`)).json() as Status;
    expect(empty).toMatchObject({ ok: true, updated_at: 0 });
    expect(empty.providers).toEqual(
      ['Claude', 'Codex'].map((name) => ({
        name,
        attention: {
          ...{ state: 'idle', count: 0, primary_project: '', projects: [], reason: '', since: 0 },
          updated_at: 0,
        },
      })),
    );
    await curl(`${hub.url}/hook/amp`, { body: { event: 'Stop', session_id: 'a', cwd: '/srv/a' } });
    await curl(`${hub.url}/hook/gemini`, { body: { event: 'Stop', session_id: 'g', cwd: '/srv/g' } });
    const { providers, updated_at } = (await curl(`${hub.url}/status`)).json() as Status;
    expect(providers.map(({ name }) => name)).toEqual(['Claude', 'Codex', 'Gemini', 'Amp']);
    expect(updated_at).toBe(Math.max(...providers.map(({ attention }) => attention.updated_at)));
  });

  it('answers 304 to whoever has it, until something changes', async () => {
    const hub = await startHub();
    // Not one that alerts: that changes it once more, a moment later.
    const body = { ...REQUEST, event: 'UserPromptSubmit' };
    await curl(`${hub.url}/attention`, { body });
    for (const path of ['/status', '/usage', '/sessions']) {
      const first = await curl(hub.url + path);
      const etag = first.headers['etag'] ?? '';
      expect([first.status, etag]).toEqual([200, expect.stringMatching(/^"[\w-]+"$/)]);
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await curl(hub.url + path, { headers: [`If-None-Match: ${known}`] });
        expect([known, again.status, again.text, again.headers['etag']]).toEqual([known, 304, '', etag]);
      }
      const head = await curl(hub.url + path, { method: 'HEAD' });
      expect([head.status, head.text, head.headers['etag']]).toEqual([200, '', etag]);
      expect((await curl(hub.url + path, { headers: ['If-None-Match: "other"'] })).status).toBe(200);
      await curl(`${hub.url}/attention`, { body: { ...body, session_id: path, cwd: `/srv${path}` } });
      const changed = await curl(hub.url + path, { headers: [`If-None-Match: ${etag}`] });
      expect([changed.status, changed.headers['etag'] === etag]).toEqual([200, false]);
    }
  });
});

describe('usage', () => {
  it('shows at once what a script has reported, over HTTP and MQTT, and keeps the last', async () => {
    const hub = await startHub();
    const bus = await viewBus({ port: hub.mqtt_port });
    const report = {
      windows: [
        { label: '5h', pct: 142, resets_in_sec: 7199.6, more: 1 },
        { label: 'week', pct: 7 },
      ],
    };
    const windows = [
      { label: '5h', pct: 100, resets_in_sec: 7200, duration_sec: null },
      { label: 'week', pct: 7, resets_in_sec: null, duration_sec: null },
    ];
    expect((await curl(`${hub.url}/usage/Claude`, { body: report })).json()).toEqual({ ok: true });
    const usage = (await curl(`${hub.url}/usage`)).json() as {
      updated_at: number;
      providers: { windows_at: number }[];
    };
    expect(usage.providers).toMatchObject([
      { name: 'Claude', attention: { state: 'idle' }, windows },
      { name: 'Codex', windows: [], windows_at: 0 },
    ]);
    expect(usage.updated_at).toBe(usage.providers[0]?.windows_at);
    const late = await viewBus({ port: hub.mqtt_port }, ['signal/+/usage']);
    await until(() => late.last('signal/claude/usage') !== undefined);
    expect(JSON.parse(late.last('signal/claude/usage') ?? '')).toMatchObject({ v: 1, windows });
    // A provider that nobody has heard of yet is told all the same, and stays without a signal.
    expect((await curl(`${hub.url}/usage/gemini`, { body: { windows: [] } })).json()).toEqual({ ok: true });
    const more = (await curl(`${hub.url}/usage`)).json() as { providers: { name: string }[] };
    expect(more.providers.map(({ name }) => name)).toEqual(['Claude', 'Codex', 'Gemini']);
    expect(bus.last('signal/gemini')).toBeUndefined();
    expect(((await curl(`${hub.url}/status`)).json() as Status).providers).toHaveLength(2);
  });

  it('is told that a report is shown, whatever of it fits into one message', async () => {
    const hub = await startHub();
    const shown = new Set<number>();
    // Byte by byte over the edge of 512.
    for (let length = 1; length <= 32; length += 1) {
      const windows = Array.from({ length: 7 }, (_, index) => ({
        ...{ label: 'x'.repeat(index === 0 ? length : 1), pct: 1 },
        ...{ resets_in_sec: null, duration_sec: null },
      }));
      const answer = await curl(`${hub.url}/usage/claude`, { body: { windows } });
      expect([length, answer.status]).toEqual([length, 200]);
      const { providers } = (await curl(`${hub.url}/usage`)).json() as {
        providers: { windows: unknown[] }[];
      };
      shown.add(providers[0]?.windows.length ?? 0);
    }
    expect([...shown]).toEqual([7, 6]);
  });

  it('refuses what is no report, and shows nothing of it', async () => {
    const hub = await startHub();
    const refused: [string, object, string][] = [
      ['claude', {}, 'bad_shape'],
      ['claude', { windows: {} }, 'bad_shape'],
      ['claude', { windows: [{ label: '', pct: 1 }] }, 'bad_shape'],
      ['claude', { windows: [{ label: 'x', pct: 'much' }] }, 'bad_shape'],
      ['claude', { windows: Array.from({ length: 17 }, () => ({ label: 'x', pct: 1 })) }, 'bad_shape'],
      ['nobody', { windows: [] }, 'unknown_provider'],
      ['all', { windows: [] }, 'unknown_provider'],
    ];
    for (const [provider, body, code] of refused) {
      const answer = await curl(`${hub.url}/usage/${provider}`, { body });
      expect([answer.status, answer.json()]).toMatchObject([422, { ok: false, error: { code } }]);
    }
    const { providers } = (await curl(`${hub.url}/usage`)).json() as { providers: { windows: unknown[] }[] };
    expect(providers.map(({ windows }) => windows)).toEqual([[], []]);
  });
});

it('GET /metrics counts, and tells of nothing that somebody outside has made up', async () => {
  const phone = { SIGNALBOX_NOTIFY_ENABLED: 'true', SIGNALBOX_NOTIFY_SERVER: 'http://127.0.0.1:1' };
  const hub = await startHub({ env: phone });
  const { provider: _, ...event } = REQUEST;
  await curl(`${hub.url}/attention`, { body: REQUEST });
  await curl(`${hub.url}/hook/claude`, { body: { ...event, id: 'one', session_id: 'two', cwd: '/srv/two' } });
  for (const name of ['x"} 1\n# evil', 'nobody', 'NOBODY-2']) {
    await curl(`${hub.url}/hook/${encodeURIComponent(name)}`, { body: event });
    await curl(`${hub.url}/attention`, { body: { ...REQUEST, provider: name } });
  }
  const { headers, text } = await curl(`${hub.url}/metrics`);
  expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
  const values = new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const space = line.lastIndexOf(' ');
        return [line.slice(0, space), Number(line.slice(space + 1))] as const;
      }),
  );
  expect(Object.fromEntries(values)).toMatchObject({
    'signalbox_events_total{provider="claude",outcome="accepted"}': 2,
    'signalbox_events_total{provider="",outcome="refused"}': 6,
    'signalbox_rejects_total{code="unknown_provider"}': 6,
    'signalbox_sessions{state="needs_user"}': 2,
    'signalbox_sessions{state="idle"}': 0,
    signalbox_hook_to_publish_seconds_count: 2,
    'signalbox_hook_to_publish_seconds_bucket{le="+Inf"}': 2,
    'signalbox_notifications_total{outcome="sent"}': 0,
    signalbox_broker_clients: 1,
  });
  expect([...values.values()].every(Number.isFinite)).toBe(true);
  expect(text).not.toMatch(/evil|nobody/i);
});
