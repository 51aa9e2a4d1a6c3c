import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { viewBus } from '../support/bus-viewer.ts';
import { curl } from '../support/curl.ts';
import { readHubDatabase } from '../support/hub-database.ts';
import { REQUEST, type Status } from '../support/http-attention.ts';
import { type HubProcess, startHub } from '../support/hub.ts';
import { runCli } from '../support/run-cli.ts';
import { until } from '../support/until.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 120_000 });

const tokenOf = ({ home }: HubProcess): string => readFileSync(join(home, 'http-token'), 'utf8').trim();

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
    // Until a wait has alerted, one answer differs from the next.
    const bus = await viewBus({ port: hub.mqtt_port });
    await bus.untilSignal('claude', ({ alert }) => alert === 1);
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
