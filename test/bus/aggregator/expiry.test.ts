import { describe, expect, it } from 'vitest';
import { ALERT_SETTLE, DEFAULT_TIMEOUTS } from '../../../protocol/expiry.ts';
import { gist, startInProcess } from './hub-in-process.ts';

const { running, unknown, done, completed, needs_user } = DEFAULT_TIMEOUTS;

async function gists(published: () => Promise<string[]>): Promise<string[]> {
  return (await published()).map(gist).filter((line) => !line.startsWith('line '));
}

describe('what time alone changes is published at its moment, and not a millisecond before', () => {
  it('running becomes unknown, then goes and leaves the lamp stale', async () => {
    const { clock, send, published } = await startInProcess();
    await send('UserPromptSubmit', 'shop');
    expect(await gists(published)).toEqual([
      'signal/claude/event null -> running (running, user_prompt, 0)',
      'session/claude/* shop running active',
      'signal/claude running 1 active 0',
      'lamp/claude active',
      'lamp/all active',
    ]);
    clock.advance(running - 1);
    expect(await gists(published)).toEqual([]);
    clock.advance(1);
    expect(await gists(published)).toEqual([
      'signal/claude/event running -> unknown (unknown, stale, 0)',
      'session/claude/* shop unknown stale',
      'signal/claude unknown 1 stale 0',
      'lamp/claude stale',
      'lamp/all stale',
    ]);
    clock.advance(unknown - 1);
    expect(await gists(published)).toEqual([]);
    clock.advance(1);
    const removed = await published();
    expect(removed.map(gist).filter((line) => !line.startsWith('line '))).toEqual([
      'signal/claude/event unknown -> null (removed, stale, 0)',
      expect.stringMatching(/^session\/claude\/[0-9a-f]{12}$/),
      'signal/claude idle 0 stale 0',
    ]);
    await send('UserPromptSubmit', 'api');
    expect(await gists(published)).toContain('lamp/claude active');
  });

  it('done shows completed for its time, then ready, then goes and leaves nothing', async () => {
    const { clock, send, published, store } = await startInProcess();
    await send('UserPromptSubmit', 'shop');
    await send('Stop', 'shop');
    expect(await gists(published)).toContain('signal/claude done 1 completed 0');
    clock.advance(completed - 1);
    expect(await gists(published)).toEqual([]);
    clock.advance(1);
    expect(await gists(published)).toEqual([
      'session/claude/* shop done ready',
      'signal/claude done 1 ready 0',
      'lamp/claude ready',
      'lamp/all ready',
    ]);
    clock.advance(done - completed - 1);
    expect(await gists(published)).toEqual([]);
    clock.advance(1);
    expect(await gists(published)).toEqual([
      'signal/claude/event done -> null (removed, stop, 0)',
      expect.stringMatching(/^session\/claude\/[0-9a-f]{12}$/),
      'signal/claude idle 0 ready 0',
    ]);
    expect(store.sessions()).toEqual([]);
    expect(store.providers()).toMatchObject([{ slug: 'claude', fallback: 'ready' }]);
  });

  it('a wait alerts once it has settled, and goes unanswered', async () => {
    const { clock, send, published } = await startInProcess();
    await send('PermissionRequest', 'shop', { tool_name: 'Bash' });
    expect(await gists(published)).toContain('signal/claude needs_user 1 permission 0');
    clock.advance(ALERT_SETTLE - 1);
    expect(await gists(published)).toEqual([]);
    clock.advance(1);
    expect(await gists(published)).toEqual([
      'session/claude/* shop needs_user permission',
      'signal/claude needs_user 1 permission 1',
    ]);
    clock.advance(needs_user - ALERT_SETTLE);
    expect(await gists(published)).toEqual([
      'signal/claude/event needs_user -> null (removed, permission_request, 1)',
      expect.stringMatching(/^session\/claude\/[0-9a-f]{12}$/),
      'signal/claude idle 0 stale 1',
      'lamp/claude stale',
      'lamp/all stale',
    ]);
  });

  it('a wait that ends before it has settled alerts nobody', async () => {
    const { clock, send, published } = await startInProcess();
    await send('PermissionRequest', 'shop', { tool_name: 'Bash' });
    clock.advance(ALERT_SETTLE - 1);
    await send('PostToolUse', 'shop', { tool_name: 'Bash' });
    clock.advance(10 * ALERT_SETTLE);
    expect((await gists(published)).filter((line) => line.startsWith('signal/claude '))).toEqual([
      'signal/claude needs_user 1 permission 0',
      'signal/claude running 1 active 0',
    ]);
  });

  it('0 means at once', async () => {
    const { send, published, store } = await startInProcess({ timeouts: { done: 0 } });
    await send('UserPromptSubmit', 'shop');
    await send('Stop', 'shop');
    expect((await gists(published)).at(-1)).toMatch(/^(?:signal\/claude idle 0|lamp\/)/);
    expect(store.sessions()).toEqual([]);
  });

  it('sets one deadline, however many sessions there are', async () => {
    const { clock, send } = await startInProcess();
    const before = clock.pending();
    for (let index = 0; index < 50; index += 1) {
      await send('UserPromptSubmit', `session-${index}`);
      clock.advance(10);
    }
    expect(clock.pending()).toBe(before + 1);
  });

  it('leaves none behind when it is asked before its time, nor at the end', async () => {
    const { aggregator, clock, send } = await startInProcess();
    await send('UserPromptSubmit', 'shop');
    const before = clock.pending();
    for (const jump of [60_000, -3_600_000, 5_000]) clock.jump(jump);
    aggregator.drained();
    expect(clock.pending()).toBeLessThanOrEqual(before);
    await aggregator.stop();
    expect(clock.pending()).toBe(0);
  });
});

describe('a clock that was set, and a machine that slept', () => {
  it.each([
    ['set forward by an hour', 3_600_000],
    ['set back by an hour', -3_600_000],
    ['asleep for eight hours', 8 * 3_600_000],
  ])('%s: what was left of each deadline stays, and nothing alerts', async (_name, jump) => {
    const { clock, send, published, bus } = await startInProcess();
    await send('PermissionRequest', 'waits', { tool_name: 'Bash' });
    clock.advance(ALERT_SETTLE);
    await send('UserPromptSubmit', 'runs');
    await send('UserPromptSubmit', 'ends');
    await send('Stop', 'ends');
    clock.advance(60_000);
    await published();
    clock.jump(jump);
    const after = (await gists(published)).filter((line) => !line.startsWith('session/'));
    expect(after.filter((line) => line.includes('event'))).toEqual([]);
    expect(bus.signal('claude')).toMatchObject({ alert: 1, attention: { state: 'needs_user', count: 1 } });

    clock.advance(done - 60_000 - 1);
    expect((await gists(published)).filter((line) => line.includes('removed'))).toEqual([]);
    clock.advance(1);
    expect((await gists(published)).filter((line) => line.includes('removed'))).toEqual([
      'signal/claude/event done -> null (removed, stop, 1)',
    ]);
    clock.advance(running - done - 1);
    expect(await gists(published)).toEqual([]);
    clock.advance(1);
    expect(await gists(published)).toContain('signal/claude/event running -> unknown (unknown, stale, 1)');
  });

  it('a wait that has not settled alerts once, after what was left of its time', async () => {
    const { clock, send, published } = await startInProcess();
    await send('PermissionRequest', 'shop', { tool_name: 'Bash' });
    clock.advance(200);
    clock.jump(3_600_000);
    await published();
    clock.advance(ALERT_SETTLE - 200 - 1);
    expect(await gists(published)).toEqual([]);
    clock.advance(1);
    expect(await gists(published)).toEqual([
      'session/claude/* shop needs_user permission',
      'signal/claude needs_user 1 permission 1',
    ]);
    clock.advance(60_000);
    expect(await gists(published)).toEqual([]);
  });
});
