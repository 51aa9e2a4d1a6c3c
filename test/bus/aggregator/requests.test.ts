import { describe, expect, it } from 'vitest';
import { ALERT_SETTLE } from '../../../protocol/expiry.ts';
import { explainData, type Explanation, sessionsData } from '../../../protocol/messages/explain.ts';
import type { Command, Requester, ResponsePayload } from '../../../protocol/messages/request.ts';
import { Asker } from '../../../runtime/asker.ts';
import { connect } from '../../support/mqtt-client.ts';
import { type AskedHub, startAsked } from './asking.ts';

function explanations(response: ResponsePayload): Explanation[] {
  return explainData.parse(response.ok && response.data).explanations;
}

describe('explain', () => {
  it('tells why one session is what it is, with its log', async () => {
    const { ask, send, clock, aggregator } = await startAsked();
    await send('UserPromptSubmit', 'shop');
    clock.advance(2_000);
    await send('PermissionRequest', 'shop', { tool_name: 'Bash', tool_input: { command: 'make' } });
    clock.advance(ALERT_SETTLE);
    await aggregator.accept('claude', 'no JSON');
    await aggregator.accept('codex', 'no JSON either');
    clock.advance(60_000);
    const [found, ...others] = explanations(await ask('explain', { session: 'shop' }));
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      provider: 'claude',
      session_id: 'shop',
      project: 'shop',
      state: 'needs_user',
      decided_by: {
        rule: 'open_request',
        evidence: { origin: 'hook', what: 'PermissionRequest', age_s: 60 },
      },
      alert: { outcome: 'given' },
      open: [{ kind: 'permission', tool: 'Bash', standing: 'raised' }],
      next: [{ what: 'removed' }],
      events: [
        { event: 'UserPromptSubmit', age_s: 62, live: true },
        { event: 'PermissionRequest', tool: 'Bash', age_s: 60 },
      ],
      refused: [{ code: 'bad_json', count: 1, age_s: 60 }],
    });
    expect(found?.open[0]?.closed_by.map(({ by }) => by)).toContain('ack');
  });

  it('tells of all, those that wait first, and never of a folder', async () => {
    const { ask, send } = await startAsked();
    await send('Stop', 'done', { cwd: '/srv/secret-folder/done' });
    await send('PermissionRequest', 'waits', { cwd: '/srv/secret-folder/waits' });
    await send('UserPromptSubmit', 'runs', { cwd: '/srv/secret-folder/runs' });
    for (const command of ['explain', 'sessions']) {
      const response = await ask(command);
      const data = JSON.stringify(response);
      expect(data).toMatch(/"waits".*"done".*"runs"/);
      expect(data).not.toContain('secret-folder');
    }
  });

  it('of one agent alone, by its name in any case', async () => {
    const { ask, send, aggregator } = await startAsked();
    await send('UserPromptSubmit', 'one');
    await aggregator.accept('codex', '{"event":"UserPromptSubmit","session_id":"two","cwd":"/srv/two"}');
    const found = explanations(await ask('explain', { provider: 'Codex' }));
    expect(found.map(({ session_id }) => session_id)).toEqual(['two']);
    expect(await ask('explain', { provider: 'nobody' })).toMatchObject({
      ok: false,
      error: { code: 'unknown_provider' },
    });
  });

  it('knows what the latest entries are, also after a flood', async () => {
    const { ask, aggregator, clock } = await startAsked();
    const body = (event: string): string => JSON.stringify({ event, session_id: 'shop', cwd: '/srv/shop' });
    await aggregator.accept('claude', body('UserPromptSubmit'));
    clock.advance(20 * 60_000);
    const flood = Array.from({ length: 1_500 }, (_, index) =>
      JSON.stringify({ event: 'PreToolUse', session_id: 'shop', tool_name: `Tool${index}` }),
    );
    for (const event of flood) {
      clock.advance(1);
      await aggregator.accept('claude', event);
    }
    const [found] = explanations(await ask('explain', { session: 'shop' }));
    expect(found?.events.map(({ tool }) => tool)).toEqual(
      Array.from({ length: 10 }, (_, index) => `Tool${1_490 + index}`),
    );
  });

  it('tells what a raw signal has done', async () => {
    const { ask, aggregator } = await startAsked();
    await aggregator.accept('claude', '{"signal":"failure","session_id":"shop"}');
    await aggregator.accept(
      'claude',
      '{"event":"Notification","session_id":"shop","notification_type":"idle_prompt"}',
    );
    const [found] = explanations(await ask('explain'));
    expect(found?.decided_by).toMatchObject({
      rule: 'failed_end',
      evidence: { origin: 'signal', what: 'failure' },
    });
    expect(found?.events).toMatchObject([
      { event: 'Signal', signal: 'failure' },
      { event: 'Notification', notification: 'idle_prompt' },
    ]);
  });
});

describe('sessions', () => {
  it('is the table as data', async () => {
    const { ask, send, bus } = await startAsked();
    await send('PermissionRequest', 'shop', { tool_name: 'Bash' });
    const response = await ask('sessions');
    const { sessions, left_out } = sessionsData.parse(response.ok && response.data);
    const { cwd: _, ...onItsTopic } = JSON.parse(bus.of('session/claude/+').at(-1) ?? '{}') as {
      cwd: string;
    };
    expect({ sessions, left_out }).toEqual({ sessions: [onItsTopic], left_out: 0 });
  });

  it('tells how many have no room in one packet', async () => {
    const { ask, aggregator, client } = await startAsked();
    const accepted = Array.from({ length: 400 }, (_, index) =>
      aggregator.accept(
        'claude',
        JSON.stringify({ event: 'PermissionRequest', session_id: `s${index}`, cwd: `/srv/${index}` }),
      ),
    );
    await Promise.all(accepted);
    for (const command of ['sessions', 'explain']) {
      const response = await ask(command);
      expect(Buffer.byteLength(JSON.stringify(response))).toBeLessThan(64 * 1024);
      const {
        sessions,
        explanations: told,
        left_out,
      } = (response.ok ? response.data : {}) as Record<string, unknown[]> & { left_out: number };
      const taken = (sessions ?? told ?? []).length;
      expect(taken).toBeGreaterThan(10);
      expect(taken + left_out).toBe(400);
    }
    expect(client.mqtt.connected).toBe(true);
  });
});

describe('what is wrong with a request is told', () => {
  it.each([
    ['no_such_session', { session: 'zzz' }, '(claude, shop)'],
    ['ambiguous_session', { session: 's' }, '(claude, site)'],
    ['bad_shape', { session: '' }, '"session"'],
    ['bad_shape', { session: 7 }, '"session"'],
    ['bad_shape', { minutes: 0 }, '"minutes"'],
    ['bad_shape', { provider: 'p'.repeat(65) }, '"provider"'],
  ])('%s to %j', async (code, fields, words) => {
    const { ask, send } = await startAsked();
    await send('UserPromptSubmit', 'shop');
    await send('UserPromptSubmit', 'site');
    const response = await ask('explain', fields);
    const message = expect.stringContaining(words) as string;
    expect(response).toMatchObject({ ok: false, error: { code, message } });
  });

  it.each([
    ['bad_json', 'no JSON'],
    ['bad_json', '[]'],
    ['bad_json', 'null'],
    ['bad_shape', '{}'],
    ['bad_shape', JSON.stringify({ transaction: 't'.repeat(65) })],
    ['too_large', JSON.stringify({ transaction: 't', session: 's'.repeat(5_000) })],
  ])('%s, as a refusal, where nobody knows whose it is', async (code, payload) => {
    const { client, ask } = await startAsked();
    await client.publish('signalbox/request/explain', payload);
    const reject = await client.nextMessage('signalbox/reject');
    expect(JSON.parse(reject.payload)).toMatchObject({ provider: '', code });
    expect(await ask('sessions')).toMatchObject({ ok: true });
    await client.expectSilence('signalbox/response/explain');
  });

  it('more in a second than anybody needs', async () => {
    const { ask, clock } = await startAsked();
    const codes = async (times: number): Promise<string[]> => {
      const seen: string[] = [];
      for (let index = 0; index < times; index += 1) {
        const response = await ask('sessions');
        seen.push(response.ok ? 'ok' : response.error.code);
      }
      return seen;
    };
    expect(await codes(22)).toEqual([
      ...Array<string>(20).fill('ok'),
      'too_many_requests',
      'too_many_requests',
    ]);
    clock.advance(100);
    expect(await codes(3)).toEqual(['ok', 'ok', 'too_many_requests']);
  });
});

describe('requests of a kind that come too fast', () => {
  const VIEWER = { role: 'viewer', how: 'http' } as const;

  /** How many of 30 at once are answered. */
  async function answered(hub: AskedHub, command: Command, by: Requester): Promise<number> {
    const asker = new Asker({ link: hub.link, clock: hub.clock, where: () => 'the bus' });
    const all = Array.from({ length: 30 }, () => asker.ask(command, { by }));
    const ends = await Promise.allSettled(all);
    return ends.filter(({ status }) => status === 'fulfilled').length;
  }

  it.each(['explain', 'stats', 'sessions'] as const)(
    '%s without rights takes nothing off those that have some',
    async (command) => {
      const hub = await startAsked();
      expect(await answered(hub, command, VIEWER)).toBe(20);
      expect(await hub.ask(command)).toMatchObject({ ok: true });
      expect(await hub.ask('ack')).toMatchObject({ ok: true });
      expect(await hub.ask('pause')).toMatchObject({ ok: true });
    },
  );

  it('what is no request counts too', async () => {
    const hub = await startAsked();
    for (let index = 0; index < 20; index += 1)
      expect(await hub.ask('explain', { minutes: 'many' })).toMatchObject({ error: { code: 'bad_shape' } });
    expect(await hub.ask('explain')).toMatchObject({ error: { code: 'too_many_requests' } });
  });

  it('with another broker, which names nobody, reading takes nothing off the user’s words', async () => {
    const hub = await startAsked({ namesRequesters: false });
    expect(await answered(hub, 'explain', VIEWER)).toBe(20);
    expect(await hub.ask('explain')).toMatchObject({ ok: false, error: { code: 'too_many_requests' } });
    expect(await hub.ask('ack')).toMatchObject({ ok: true });
    expect(await answered(hub, 'ack', VIEWER)).toBe(19);
  });
});

it('is asked by whoever may: over TCP nobody without an account', async () => {
  const { port, client } = await startAsked();
  const stranger = await connect({ port });
  const closed = new Promise<void>((resolve) => stranger.mqtt.once('close', () => resolve()));
  stranger.mqtt.publish('signalbox/request/explain', '{"transaction":"mine"}', { qos: 1 });
  await closed;
  await client.expectSilence('signalbox/response/+');
});
