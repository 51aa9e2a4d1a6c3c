import { describe, expect, it } from 'vitest';
import { ALERT_SETTLE } from '../../../protocol/expiry.ts';
import type { HubInfoPayload } from '../../../protocol/messages/hub.ts';
import { until } from '../../support/until.ts';
import { gist, startInProcess } from './hub-in-process.ts';

const hook = (event: string, session: string, more: object = {}): string =>
  JSON.stringify({ event, session_id: session, cwd: `/srv/${session}`, ...more });

describe('one commit group', () => {
  it('publishes each retained topic once with its last value, and every transition', async () => {
    const { aggregator, published } = await startInProcess();
    // Handed over in one turn of the event loop, so they share a transaction.
    await Promise.all([
      aggregator.accept('claude', hook('UserPromptSubmit', 'shop')),
      aggregator.accept('claude', hook('PermissionRequest', 'shop', { tool_name: 'Bash' })),
      aggregator.accept('claude', hook('PostToolUse', 'shop', { tool_name: 'Bash' })),
      aggregator.accept('claude', hook('Stop', 'shop')),
      aggregator.accept('claude', hook('UserPromptSubmit', 'api')),
      aggregator.accept('codex', hook('UserPromptSubmit', 'infra')),
    ]);
    const messages = (await published()).map(gist);
    expect(messages.filter((line) => line.includes('/event '))).toEqual([
      'signal/claude/event null -> running (running, user_prompt, 0)',
      'signal/claude/event running -> needs_user (needs_user, permission_request, 0)',
      'signal/claude/event needs_user -> running (running, tool_use, 0)',
      'signal/claude/event running -> done (done, stop, 0)',
      'signal/claude/event null -> running (running, user_prompt, 0)',
      'signal/codex/event null -> running (running, user_prompt, 0)',
    ]);
    const retained = messages.filter((line) => !line.includes('/event '));
    expect(retained.filter((line) => line.startsWith('signal/'))).toEqual([
      expect.stringMatching(/^signal\/claude done 1 /),
      'signal/codex running 1 active 0',
    ]);
    expect(retained.filter((line) => line.startsWith('session/'))).toHaveLength(3);
    expect(retained.filter((line) => line.startsWith('lamp/all'))).toHaveLength(1);
    expect(retained.filter((line) => line.startsWith('line '))).toHaveLength(1);
  });

  it('of a session that came and went in it, only the happenings show', async () => {
    const { aggregator, published, store } = await startInProcess({ timeouts: { done: 0 } });
    await Promise.all([
      aggregator.accept('claude', hook('UserPromptSubmit', 'shop')),
      aggregator.accept('claude', hook('Stop', 'shop')),
    ]);
    const messages = (await published()).map(gist);
    expect(messages.filter((line) => line.startsWith('session/'))).toEqual([]);
    expect(messages.filter((line) => line.includes('/event '))).toHaveLength(2);
    expect(store.sessions()).toEqual([]);
  });
});

describe('what is published', () => {
  it('is not published again for a new time alone', async () => {
    const { clock, send, published, store } = await startInProcess();
    await send('UserPromptSubmit', 'shop');
    await published();
    for (let index = 0; index < 20; index += 1) {
      clock.advance(30_000);
      await send('PreToolUse', 'shop', { tool_name: 'Bash', tool_use_id: `call-${index}` });
      await send('PostToolUse', 'shop', { tool_name: 'Bash', tool_use_id: `call-${index}` });
    }
    expect((await published()).map(gist)).toEqual([
      // The first tool changes the reason, and nothing after it anything.
      'session/claude/* shop running active',
      'signal/claude running 1 active 0',
    ]);
    // It counts all the same: ten minutes after the first prompt the session is not stale.
    expect(store.sessions()[0]).toMatchObject({ state: 'running', updated_at: clock.now() });
  });

  it('names two projects apart as soon as there are two, and no longer', async () => {
    const { send, published, bus, aggregator, clock } = await startInProcess();
    await send('UserPromptSubmit', 'one', { cwd: '/srv/client/foo' });
    await published();
    clock.advance(1);
    await send('UserPromptSubmit', 'two', { cwd: '/srv/personal/foo' });
    await published();
    expect(bus.signal('claude')?.attention.projects).toEqual(['personal/foo', 'client/foo']);
    const names = (): string[] =>
      bus
        .of('session/#')
        .filter((text) => text !== '')
        .map((text) => (JSON.parse(text) as { project: string }).project);
    expect(names()).toEqual(['foo', 'client/foo', 'personal/foo']);
    await aggregator.accept('claude', hook('SessionEnd', 'two', { cwd: '/srv/personal/foo' }));
    await published();
    expect(bus.signal('claude')?.attention.primary_project).toBe('client/foo');
  });

  it('alerts once for each wait that has settled, at its own moment', async () => {
    const { clock, send, published } = await startInProcess();
    await send('PermissionRequest', 'one', { tool_name: 'Bash' });
    clock.advance(200);
    await send('PermissionRequest', 'two', { tool_name: 'Bash' });
    clock.advance(ALERT_SETTLE - 200);
    await published();
    clock.advance(200);
    expect((await published()).map(gist)).toEqual([
      // It says that it has alerted.
      'session/claude/* two needs_user permission',
      'signal/claude needs_user 2 permission 2',
    ]);
    // A second request of a session that waits already is the same wait.
    await send('PermissionRequest', 'one', { tool_name: 'Edit' });
    clock.advance(10 * ALERT_SETTLE);
    expect((await published()).map(gist).filter((line) => line.startsWith('signal/claude '))).toEqual([
      // The newest of them is another one now.
      'signal/claude needs_user 2 permission 2',
    ]);
  });

  it('holds no alert for what is not live', async () => {
    const { aggregator, clock, published, store } = await startInProcess();
    await aggregator.accept('claude', hook('PermissionRequest', 'shop'), { live: false });
    clock.advance(ALERT_SETTLE);
    expect((await published()).map(gist)).toContain('signal/claude needs_user 1 permission 0');
    expect(store.eventsOf('claude', store.sessions()[0]?.key ?? '', 0)).toMatchObject([{ live: false }]);
  });
});

describe('signalbox/info', () => {
  it('names a provider as soon as it has a signal', async () => {
    const { aggregator, published, bus } = await startInProcess();
    await until(() => bus.last('signalbox/info') !== undefined);
    const providers = (): string[] =>
      (JSON.parse(bus.last('signalbox/info') ?? '{}') as HubInfoPayload).providers.map(({ slug }) => slug);
    expect(providers()).toEqual(['claude', 'codex']);
    await aggregator.accept('amp', hook('UserPromptSubmit', 'shop'));
    await aggregator.accept('gemini', hook('UserPromptSubmit', 'shop'));
    await aggregator.accept('gemini', hook('Stop', 'shop'));
    await published();
    expect(providers()).toEqual(['claude', 'codex', 'gemini', 'amp']);
    expect(bus.of('signalbox/info')).toHaveLength(3);
  });
});

describe('the same event twice', () => {
  it('is one, by its id, for ever', async () => {
    const first = await startInProcess();
    const event = JSON.stringify({
      v: 1,
      id: 'once',
      hook: JSON.parse(hook('UserPromptSubmit', 'shop')) as object,
    });
    await first.aggregator.accept('claude', event);
    first.clock.advance(10_000);
    expect(await first.aggregator.accept('claude', event)).toMatchObject({ ok: true });
    await first.aggregator.stop();
    await first.store.close();

    const second = await startInProcess({ home: first.home, clock: first.clock });
    expect(await second.aggregator.accept('claude', event)).toMatchObject({ ok: true });
    expect(second.store.lastEvents()).toMatchObject([{ event: 'UserPromptSubmit', count: 1 }]);
  });

  it('is one, by its bytes, for a second', async () => {
    const { aggregator, clock, store } = await startInProcess();
    for (const wait of [0, 999, 1]) {
      clock.advance(wait);
      await aggregator.accept('claude', hook('PreToolUse', 'shop', { tool_name: 'Bash' }));
      await aggregator.accept('codex', hook('PreToolUse', 'shop', { tool_name: 'Bash' }));
    }
    expect(store.lastEvents().map(({ provider, count }) => [provider, count])).toEqual([
      ['claude', 2],
      ['codex', 2],
    ]);
  });
});

it('what a second source has found counts as an event, and as no hook that was heard', async () => {
  const { aggregator, store } = await startInProcess();
  await aggregator.accept('codex', hook('UserPromptSubmit', 'shop'));
  await aggregator.accept('codex', hook('StopFailure', 'shop'), { found: true });
  expect(store.sessions()).toMatchObject([{ session_id: 'shop', state: 'error' }]);
  expect(store.lastEvents().map(({ event }) => event)).toEqual(['UserPromptSubmit']);
});

it('reads its own table back: what is retained after a start is what was before the end', async () => {
  const first = await startInProcess();
  await first.send('PermissionRequest', 'waits', { tool_name: 'Bash' });
  first.clock.advance(ALERT_SETTLE);
  await first.send('UserPromptSubmit', 'runs');
  await first.aggregator.accept('gemini', '{"signal":"paused"}');
  await first.published();
  const topics = [
    'signal/claude',
    'signal/codex',
    'signal/gemini',
    'lamp/claude',
    'lamp/gemini',
    'lamp/all',
    'line',
  ];
  const before = topics.map((topic) => first.bus.last(topic));
  expect(before).not.toContain(undefined);
  await first.aggregator.stop();
  await first.store.close();

  const second = await startInProcess({ home: first.home, clock: first.clock });
  await second.published();
  expect(topics.map((topic) => second.bus.last(topic))).toEqual(before);
  second.clock.advance(10 * ALERT_SETTLE);
  expect(await second.published()).toEqual([]);
});
