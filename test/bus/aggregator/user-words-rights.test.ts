import { describe, expect, it } from 'vitest';
import { connect } from '../../support/mqtt-client.ts';
import { startAgain } from './asking.ts';
import { signal, waiting, words } from './said-words.ts';

const MINUTE = 60_000;
const LOCAL = { role: 'operator', how: 'socket' };

describe('clear', () => {
  it.each([
    [{ session: 'shop' }, ['other', 'docs']],
    [{ provider: 'claude' }, ['docs']],
    [{ provider: 'claude', session: 'oth' }, ['shop', 'docs']],
    [{}, []],
  ])('%j', async (fields, left) => {
    const hub = await waiting();
    await hub.send('UserPromptSubmit', 'other');
    await hub.aggregator.accept('codex', '{"event":"Stop","session_id":"docs","cwd":"/srv/docs"}');
    await hub.published();
    expect(await hub.ask('clear', fields)).toMatchObject({ ok: true });
    await hub.published();
    const shown = hub.store.sessions().map(({ session_id }) => session_id);
    expect(new Set(shown)).toEqual(new Set(left));
    const retained = await connect({ path: hub.socketPath });
    await retained.subscribe('session/#', 'signal/+');
    const seen: string[] = [];
    for (let index = 0; index < left.length + 2; index += 1)
      seen.push((await retained.nextMessage('#')).topic);
    expect(seen.filter((topic) => topic.startsWith('session/')).length).toBe(left.length);
    expect(words(hub)).toHaveLength(3 - left.length);
    const again = await startAgain(hub);
    expect(again.store.sessions()).toHaveLength(left.length);
  });

  it('resets a lamp that nobody’s session has left', async () => {
    const hub = await waiting();
    hub.clock.advance(60 * MINUTE);
    await hub.published();
    expect(hub.bus.last('lamp/all')).toBe('stale');
    expect(await hub.ask('clear')).toMatchObject({ data: { sessions: [], providers: ['claude', 'codex'] } });
    await hub.published();
    expect(hub.bus.last('lamp/all')).toBe('ready');
    expect(words(hub)).toMatchObject([{ event: 'clear', provider: '' }]);
  });
});

describe('who may say it', () => {
  it.each(['ack', 'pause', 'resume', 'clear', 'snooze'])(
    '%s: not over TCP, where anybody may connect',
    async (command) => {
      const hub = await waiting();
      const stranger = await connect({ port: hub.port });
      const closed = new Promise<void>((resolve) => stranger.mqtt.once('close', () => resolve()));
      stranger.mqtt.publish(`signalbox/request/${command}`, '{"transaction":"mine"}', { qos: 1 });
      await closed;
      await hub.client.expectSilence(`signalbox/response/${command}`);
      expect(words(hub)).toEqual([]);
      expect(signal(hub)).toEqual(['needs_user', 'permission', 1]);
    },
  );

  it('is the broker’s word, whatever the sender writes', async () => {
    const hub = await waiting();
    await hub.ask('ack', { by: { role: 'hub', user: 'somebody else', how: 'inprocess' } });
    expect(words(hub)).toMatchObject([{ body: { by: LOCAL } }]);
    expect(JSON.stringify(words(hub))).not.toContain('somebody');
  });

  it.each([
    { minutes: -1 },
    { minutes: 0 },
    { minutes: 1e9 },
    { minutes: 'NaN' },
    { minutes: null },
    { minutes: [5] },
    { session: '' },
    { session: 's'.repeat(201) },
    { session: {} },
    { provider: 7 },
  ])('%j is refused', async (fields) => {
    const hub = await waiting();
    for (const command of ['pause', 'clear', 'ack', 'snooze'])
      expect(await hub.ask(command, fields)).toMatchObject({ ok: false, error: { code: 'bad_shape' } });
    await hub.client.publish('signalbox/request/pause', '{"transaction":"t","minutes":NaN}');
    expect(JSON.parse((await hub.client.nextMessage('signalbox/reject')).payload)).toMatchObject({
      code: 'bad_json',
    });
    expect([words(hub), signal(hub)]).toEqual([[], ['needs_user', 'permission', 1]]);
  });
});
