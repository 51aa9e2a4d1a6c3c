import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ALERT_SETTLE } from '../../../protocol/expiry.ts';
import { explainData, type Explanation } from '../../../protocol/messages/explain.ts';
import { type AskedHub, startAgain, startAsked } from './asking.ts';
import { gist } from './hub-in-process.ts';
import { signal, waiting, words } from './said-words.ts';

const MINUTE = 60_000;
const LOCAL = { role: 'operator', how: 'socket' };
const BASH = { tool_name: 'Bash', tool_input: { command: 'make' } };

async function explained({ ask }: AskedHub, session: string): Promise<Explanation | undefined> {
  const response = await ask('explain', { session });
  return explainData.parse(response.ok && response.data).explanations[0];
}

describe('ack', () => {
  it('is done, told and logged before it is answered', async () => {
    const hub = await waiting();
    const { clock, ask, send } = hub;
    expect(await ask('ack')).toMatchObject({
      ok: true,
      data: { sessions: [{ provider: 'claude', project: 'shop', kinds: ['permission'] }], left_out: 0 },
    });
    expect(words(hub)).toEqual([
      {
        event: 'ack',
        provider: 'claude',
        session_id: 'shop',
        received_at: clock.now(),
        body: { v: 1, by: LOCAL },
      },
    ]);
    await hub.published();
    expect(signal(hub)).toEqual(['running', 'active', 1]);
    expect(hub.bus.last('lamp/all')).toBe('active');
    expect(JSON.parse(hub.bus.of('session/claude/+').at(-1) ?? '')).toMatchObject({
      attentions: [{ kind: 'permission', acked: true }],
    });
    clock.advance(MINUTE);
    expect(await explained(hub, 'shop')).toMatchObject({
      open: [{ standing: 'acknowledged', acked: { by: 'local', age_s: 60 } }],
      events: [{ event: 'UserPromptSubmit' }, { event: 'PermissionRequest' }, { event: 'ack', by: 'local' }],
    });
    await send('PermissionRequest', 'shop', { tool_name: 'Edit' });
    clock.advance(ALERT_SETTLE);
    await hub.published();
    expect(signal(hub)).toEqual(['needs_user', 'permission', 2]);
  });

  it('names a session, a provider or all that waits', async () => {
    const hub = await waiting();
    const { ask, send, aggregator } = hub;
    await aggregator.accept('codex', '{"event":"PermissionRequest","session_id":"docs","cwd":"/srv/docs"}');
    await send('UserPromptSubmit', 'other');
    const named = async (fields: object): Promise<unknown> => {
      const response = await ask('ack', fields);
      return response.ok ? response.data : response.error.code;
    };
    expect(await named({ session: 'other' })).toMatchObject({
      sessions: [],
      idle: { project: 'other', state: 'running' },
    });
    expect(await named({ provider: 'Codex' })).toMatchObject({ sessions: [{ project: 'docs' }] });
    expect(await named({ session: 's' })).toMatchObject({ sessions: [{ project: 'shop' }] });
    expect(await named({})).toEqual({ sessions: [], left_out: 0 });
    expect(await named({ session: 'x' })).toBe('no_such_session');
    expect(await named({ provider: 'nobody' })).toBe('unknown_provider');
    expect(words(hub)).toMatchObject([
      { provider: 'claude', session_id: 'other' },
      { provider: 'codex', session_id: 'docs' },
      { provider: 'claude', session_id: 'shop' },
      { provider: '', session_id: '' },
    ]);
    // Nobody was heard of by this.
    expect(hub.store.lastEvents().map(({ event }) => event)).not.toContain('ack');
  });

  it('survives a restart, with what comes late after it', async () => {
    const first = await waiting();
    first.clock.advance(1_000);
    await first.ask('ack');
    const hub = await startAgain(first, 1_000);
    expect(signal(hub)).toEqual(['running', 'active', 1]);
    const envelope = {
      v: 1,
      id: 'late',
      sent_at: hub.clock.now() - 1_500,
      hook: { event: 'Notification', session_id: 'shop', notification_type: 'permission_prompt' },
    };
    expect(await hub.aggregator.accept('claude', JSON.stringify(envelope))).toMatchObject({ ok: true });
    hub.clock.advance(MINUTE);
    await hub.published();
    expect(signal(hub)).toEqual(['running', 'active', 1]);
    expect(await explained(hub, 'shop')).toMatchObject({ open: [{ acked: { by: 'local' } }] });
  });

  it('comes behind the events that have come before it', async () => {
    const hub = await startAsked();
    const sent = hub.send('PermissionRequest', 'shop', BASH);
    const answer = await hub.ask('ack');
    await sent;
    expect(answer).toMatchObject({ data: { sessions: [{ project: 'shop' }] } });
  });

  it('that can’t be kept is told so, stays in effect and is written with the next', async () => {
    const hub = await waiting();
    const other = new Database(join(hub.home, 'signalbox.db'));
    onTestFinished(() => void other.close());
    other.exec('BEGIN IMMEDIATE');
    expect(await hub.ask('ack')).toMatchObject({ ok: false, error: { code: 'not_committed' } });
    await hub.published();
    expect(signal(hub)).toEqual(['running', 'active', 1]);
    other.exec('ROLLBACK');
    await hub.send('PreToolUse', 'shop', { tool_name: 'Read' });
    expect(words(hub)).toMatchObject([{ event: 'ack', session_id: 'shop', body: { by: LOCAL } }]);
    expect(signal(await startAgain(hub))).toEqual(['running', 'active', 1]);
  });
});

describe('pause', () => {
  it('shows on every lamp at once, ends exactly, and alerts for nothing of it', async () => {
    const hub = await waiting();
    const { ask, clock, send } = hub;
    const at = clock.now();
    expect(await ask('pause', { minutes: 2 })).toMatchObject({
      data: { paused: [{ at: Math.floor(at / 1000), until: Math.floor(at / 1000) + 120, by: 'local' }] },
    });
    const lamps = ['lamp/all', 'lamp/claude', 'lamp/codex'];
    expect((await hub.published()).map(gist).toSorted()).toEqual([
      ...lamps.map((topic) => `${topic} paused`),
      'session/claude/* shop needs_user paused',
      'signal/claude needs_user 1 paused 1',
      'signal/codex idle 0 paused 0',
    ]);
    expect(hub.bus.last('line')).toBe('Claude waiting: shop (permission)');
    await send('PostToolUse', 'shop', BASH);
    await send('PermissionRequest', 'site', BASH);
    clock.advance(2 * MINUTE - 1);
    await hub.published();
    expect(signal(hub)).toEqual(['needs_user', 'paused', 1]);
    expect(await explained(hub, 'site')).toMatchObject({
      lamp: 'paused',
      lamp_by: { rule: 'pause' },
      paused: { what: 'everything', by: 'local', age_s: 119 },
      alert: { outcome: 'none', why: 'paused' },
    });
    clock.advance(1);
    await hub.published();
    expect(lamps.map((topic) => hub.bus.last(topic))).toEqual(['permission', 'permission', 'ready']);
    clock.advance(10 * MINUTE);
    await hub.published();
    expect(signal(hub)).toEqual(['needs_user', 'permission', 1]);
    expect(words(hub)).toMatchObject([{ event: 'pause', provider: '', body: { minutes: 2, by: LOCAL } }]);
  });

  it('is ended by the user', async () => {
    const hub = await startAsked();
    expect(await hub.ask('resume')).toMatchObject({ data: { paused: [], resumed: [] } });
    await hub.ask('pause');
    await hub.ask('pause', { provider: 'codex' });
    expect(await hub.ask('resume', { provider: 'codex' })).toMatchObject({
      data: { paused: [{ by: 'local' }], resumed: [{ provider: 'codex' }] },
    });
    expect(hub.bus.last('lamp/codex')).toBe('paused');
    expect(await hub.ask('resume')).toMatchObject({ data: { paused: [], resumed: [{ by: 'local' }] } });
    await hub.published();
    expect(hub.bus.last('lamp/codex')).toBe('ready');
    expect(words(hub)).toMatchObject([
      { event: 'resume' },
      { event: 'pause' },
      { event: 'pause', provider: 'codex' },
      { event: 'resume', provider: 'codex' },
      { event: 'resume' },
    ]);
  });

  it('of one session', async () => {
    const hub = await waiting();
    const response = await hub.ask('pause', { session: 'shop' });
    expect(response).toMatchObject({ data: { paused: [{ provider: 'claude' }] } });
    await hub.published();
    expect([hub.bus.last('lamp/claude'), hub.bus.last('lamp/codex')]).toEqual(['paused', 'ready']);
    expect(await explained(hub, 'shop')).toMatchObject({ paused: { what: 'session' } });
    expect(await hub.ask('resume', { session: 'shop' })).toMatchObject({
      data: { resumed: [{ provider: 'claude' }], paused: [] },
    });
  });

  it('survives a restart; one whose time has passed meanwhile is over', async () => {
    const first = await waiting();
    await first.ask('pause', { minutes: 5 });
    const second = await startAgain(first, MINUTE);
    expect([signal(second), second.bus.last('lamp/all')]).toEqual([['needs_user', 'paused', 1], 'paused']);
    await second.send('PermissionRequest', 'site', BASH);
    const third = await startAgain(second, 10 * MINUTE);
    expect(third.bus.last('lamp/all')).toBe('permission');
    third.aggregator.drained();
    third.clock.advance(MINUTE);
    await third.published();
    expect(signal(third)).toEqual(['needs_user', 'permission', 1]);
    third.clock.advance(20 * MINUTE);
    expect(third.store.pauses()).toEqual([]);
  });

  it('ends when it was said to end, also when the machine slept over it', async () => {
    const hub = await waiting();
    await hub.ask('pause', { minutes: 5 });
    hub.clock.jump(60 * MINUTE);
    await hub.published();
    expect(signal(hub)).toEqual(['needs_user', 'permission', 1]);
  });
});

describe('snooze', () => {
  it('alerts once more when its time is over', async () => {
    const hub = await waiting();
    expect(await hub.ask('snooze')).toMatchObject({ data: { sessions: [{ project: 'shop' }] } });
    expect(await explained(hub, 'shop')).toMatchObject({ alert: { outcome: 'due', why: 'snoozed' } });
    hub.clock.advance(10 * MINUTE - 1);
    await hub.published();
    expect(signal(hub)).toEqual(['needs_user', 'permission', 1]);
    hub.clock.advance(1);
    await hub.published();
    expect(signal(hub)).toEqual(['needs_user', 'permission', 2]);
    expect(words(hub)).toMatchObject([{ event: 'snooze', session_id: 'shop' }]);
  });
});
