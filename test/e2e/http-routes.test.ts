import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { viewBus } from '../support/bus-viewer.ts';
import { curl } from '../support/curl.ts';
import { readHubDatabase } from '../support/hub-database.ts';
import { type HubProcess, startHub } from '../support/hub.ts';
import { runCli } from '../support/run-cli.ts';
import { until } from '../support/until.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 120_000 });

interface Status {
  readonly ok: boolean;
  readonly updated_at: number;
  readonly providers: readonly {
    readonly name: string;
    readonly attention: { readonly state: string; readonly reason: string; readonly updated_at: number };
  }[];
}

const tokenOf = ({ home }: HubProcess): string => readFileSync(join(home, 'http-token'), 'utf8').trim();

const REQUEST = {
  provider: 'claude',
  event: 'PermissionRequest',
  session_id: 'shop-1',
  cwd: '/srv/web-shop',
};

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
    await curl(`${hub.url}/attention`, { body: REQUEST });
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
      await curl(`${hub.url}/attention`, { body: { ...REQUEST, session_id: path, cwd: `/srv${path}` } });
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

describe('sessions', () => {
  it('are what the commands print', async () => {
    const hub = await startHub();
    await curl(`${hub.url}/attention`, { body: REQUEST });
    await curl(`${hub.url}/attention`, {
      body: { ...REQUEST, event: 'UserPromptSubmit', session_id: 'docs-1', cwd: '/srv/docs' },
    });
    await curl(`${hub.url}/attention`, {
      body: { ...REQUEST, event: 'SessionEnd', session_id: 'gone-1', cwd: '/srv/gone' },
    });
    const cli = async (...args: string[]): Promise<unknown> => {
      const { status, stdout } = await runCli([...args, '--json'], { home: hub.home });
      expect(status).toBe(0);
      return JSON.parse(stdout);
    };
    expect((await curl(`${hub.url}/sessions`)).json()).toEqual(await cli('sessions'));
    expect((await curl(`${hub.url}/sessions?all=true`)).json()).toEqual(await cli('sessions', '--all'));
    const explained = (await curl(`${hub.url}/sessions/shop/explain`)).json() as { explanations: object[] };
    const printed = (await cli('explain', 'shop')) as { explanations: object[] };
    expect(explained.explanations.map(withoutAges)).toEqual(printed.explanations.map(withoutAges));
    expect(explained).toMatchObject({
      explanations: [{ state: 'needs_user', project: 'web-shop' }],
      left_out: 0,
    });

    const none = await curl(`${hub.url}/sessions/nothing/explain`);
    expect([none.status, none.json()]).toMatchObject([404, { error: { code: 'no_such_session' } }]);
    await curl(`${hub.url}/attention`, { body: { ...REQUEST, session_id: 'shop-2', cwd: '/srv/other' } });
    const two = await curl(`${hub.url}/sessions/shop/explain`);
    expect([two.status, two.json()]).toMatchObject([409, { error: { code: 'ambiguous_session' } }]);
    const long = await curl(`${hub.url}/sessions/${'%C3%BC'.repeat(201)}/explain`);
    expect([long.status, long.json()]).toMatchObject([422, { error: { code: 'bad_shape' } }]);
    const foreign = await curl(`${hub.url}/sessions/shop-1/explain?provider=codex`);
    expect([foreign.status, foreign.json()]).toMatchObject([404, { error: { code: 'no_such_session' } }]);
  });
});

/** How long ago something is differs from one answer to the next. */
function withoutAges(value: object): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, each: unknown) => (/(?:age|since|in)_s$/.test(key) ? undefined : each)),
  );
}

describe('the user’s words', () => {
  it('want the token, and do what the commands do', async () => {
    const hub = await startHub();
    const bus = await viewBus({ port: hub.mqtt_port });
    await curl(`${hub.url}/attention`, { body: REQUEST });
    const token = tokenOf(hub);
    const state = async (): Promise<unknown> =>
      ((await curl(`${hub.url}/status`)).json() as Status).providers[0]?.attention.state;
    const words = ['ack', 'snooze', 'pause', 'resume', 'clear'];
    for (const word of words) {
      for (const shown of [undefined, 'not-the-token']) {
        const answer = await curl(`${hub.url}/${word}`, {
          body: {},
          ...(shown !== undefined && { token: shown }),
        });
        const code = shown === undefined ? 'token_needed' : 'token_wrong';
        expect([answer.status, answer.headers['www-authenticate'], answer.json()]).toMatchObject([
          401,
          'Bearer',
          { ok: false, error: { code } },
        ]);
      }
    }
    expect([await state(), bus.last('lamp/all')]).toEqual(['needs_user', 'permission']);

    const snoozed = await curl(`${hub.url}/snooze`, { token, body: { session: 'shop', minutes: 5 } });
    expect([snoozed.status, snoozed.json()]).toMatchObject([
      200,
      { ok: true, sessions: [{ project: 'web-shop' }] },
    ]);
    expect((await curl(`${hub.url}/pause`, { token, body: { provider: 'Claude' } })).json()).toMatchObject({
      ok: true,
      paused: [{ provider: 'claude', by: 'operator (http)' }],
    });
    await until(() => bus.last('lamp/claude') === 'paused');
    expect((await curl(`${hub.url}/resume`, { token, body: {} })).json()).toMatchObject({
      ok: true,
      resumed: [{}],
    });
    expect((await curl(`${hub.url}/ack`, { token, body: {} })).json()).toMatchObject({
      ok: true,
      left_out: 0,
    });
    expect(await state()).toBe('running');
    // Nothing in the body: everything is meant.
    const headers = ['Content-Type: application/json'];
    const cleared = await curl(`${hub.url}/clear`, { token, method: 'POST', headers });
    expect(cleared.json()).toMatchObject({ ok: true, sessions: [{ project: 'web-shop' }] });
    expect(await state()).toBe('idle');
    const said = readHubDatabase(hub.home).events.filter((body) => 'by' in body);
    expect(said).toMatchObject(words.map(() => ({ by: { role: 'operator', how: 'http' } })));
  });

  it('refuse what they do not understand: a misspelt session would mean everything', async () => {
    const hub = await startHub();
    await curl(`${hub.url}/attention`, { body: REQUEST });
    const token = tokenOf(hub);
    const refused: [string, object, number, string][] = [
      ['clear', { sesion: 'shop' }, 422, 'bad_shape'],
      ['pause', { minutes: -1 }, 422, 'bad_shape'],
      ['pause', { minutes: '5' }, 422, 'bad_shape'],
      ['ack', { session: '' }, 422, 'bad_shape'],
      ['ack', { provider: 'nobody' }, 422, 'unknown_provider'],
      ['ack', { session: 'nothing' }, 404, 'no_such_session'],
      ['ack', { by: { role: 'hub', how: 'inprocess' } }, 422, 'bad_shape'],
    ];
    for (const [word, body, status, code] of refused) {
      const answer = await curl(`${hub.url}/${word}`, { token, body });
      expect([word, answer.status, answer.json()]).toMatchObject([
        word,
        status,
        { ok: false, error: { code } },
      ]);
    }
    const { sessions } = (await curl(`${hub.url}/sessions`)).json() as { sessions: object[] };
    expect(sessions).toMatchObject([{ state: 'needs_user', attentions: [{}] }]);
  });

  it('of two with one transaction each gets its own answer', async () => {
    const hub = await startHub();
    await curl(`${hub.url}/attention`, { body: REQUEST });
    await curl(`${hub.url}/attention`, { body: { ...REQUEST, session_id: 'docs-1', cwd: '/srv/docs' } });
    const token = tokenOf(hub);
    const answers = await Promise.all(
      ['shop', 'docs', 'nothing'].map((session) =>
        curl(`${hub.url}/ack`, { token, body: { session, transaction: 'one' } }),
      ),
    );
    expect(answers.map((answer) => answer.json())).toMatchObject([
      { sessions: [{ project: 'web-shop' }] },
      { sessions: [{ project: 'docs' }] },
      { error: { code: 'no_such_session' } },
    ]);
  });
});

it('GET /stats is what the command prints', async () => {
  const hub = await startHub();
  await curl(`${hub.url}/attention`, { body: REQUEST });
  const { stdout } = await runCli(['stats', '--days', '3', '--json'], { home: hub.home });
  const printed = JSON.parse(stdout) as { by_day: { day: string }[] };
  const answer = await curl(`${hub.url}/stats?days=3`);
  expect([answer.status, answer.json()]).toMatchObject([
    200,
    { v: 1, days: 3, open: 1, zone: expect.any(String) },
  ]);
  expect(Object.keys(answer.json() as object)).toEqual(Object.keys(printed));
  expect((answer.json() as typeof printed).by_day.map(({ day }) => day)).toEqual(
    printed.by_day.map(({ day }) => day),
  );
  for (const days of ['0', '-1', 'many', '1.5', '9999', '']) {
    const refused = await curl(`${hub.url}/stats?days=${days}`);
    expect([days, refused.status, refused.json()]).toMatchObject([
      days,
      422,
      { error: { code: 'bad_shape' } },
    ]);
  }
});
