import { expect, it, onTestFinished } from 'vitest';
import { createNtfyClient } from '../../../services/notifier/ntfy-client.ts';
import { sendTest } from '../../../services/notifier/send-test.ts';
import { startNtfy } from '../../support/ntfy.ts';

const MESSAGE = { topic: 'agents', title: 'one', message: 'two', priority: 4, tags: ['raised_hand'] };

it('the real server takes a message, an update, a clear and the cancelling of a scheduled one', async () => {
  const ntfy = await startNtfy();
  const client = createNtfyClient({ server: ntfy.url });
  onTestFinished(() => client.close());
  expect(await client.health()).toEqual({ ok: true, replaces: false });
  const good = { ok: true, replaces: true };
  const since = Math.floor(Date.now() / 1000) - 60;
  expect(await client.holds({ ...MESSAGE, sequence_id: 's-1' }, since)).toBe(false);
  expect(await client.publish({ ...MESSAGE, sequence_id: 's-1' })).toEqual(good);
  expect(await client.holds({ ...MESSAGE, sequence_id: 's-1' }, since)).toBe(true);
  expect(await client.holds({ ...MESSAGE, sequence_id: 's-1', message: 'three' }, since)).toBe(false);
  expect(await client.publish({ ...MESSAGE, sequence_id: 's-1', title: 'later', delay: '600s' })).toEqual(
    good,
  );
  expect(await client.cancel('agents', 's-1')).toEqual(good);
  expect(await client.clear('agents', 's-1')).toEqual(good);
  const events = await ntfy.untilEvents('agents', 'message_clear', 1);
  expect(await client.holds({ ...MESSAGE, sequence_id: 's-1' }, since)).toBe(false);
  expect(events).toHaveLength(1);
  const all = await ntfy.events('agents');
  expect(all.map(({ event, title }) => title ?? event)).toEqual(['one', 'message_delete', 'message_clear']);
});

it('the real server refuses a message with its own code, and it is not tried again', async () => {
  const ntfy = await startNtfy();
  const client = createNtfyClient({ server: ntfy.url });
  onTestFinished(() => client.close());
  expect(await client.publish({ ...MESSAGE, topic: 'a/b' })).toMatchObject({
    ok: false,
    retry: false,
    code: 40009,
  });
  expect(await client.publish({ ...MESSAGE, priority: 9 })).toMatchObject({
    ok: false,
    retry: false,
    code: 40007,
  });
  expect(await client.publish({ ...MESSAGE, message: 'x'.repeat(4096) })).toMatchObject({
    ok: false,
    retry: false,
  });
  expect(await client.publish({ ...MESSAGE, message: 'x'.repeat(4095) })).toMatchObject({ ok: true });
});

it('a protected topic wants a token, and the real server says so', async () => {
  const token = 'tk_abcdefghijklmnopqrstuvwxyz012';
  const ntfy = await startNtfy({
    config: (folder) => [
      `auth-file: "${folder}/user.db"`,
      'auth-default-access: "deny-all"',
      // The hash of "secret", made by `ntfy user hash`.
      'auth-users: ["me:$2a$10$YLiO8U21sX1uhZamTLJXHuxgVC0Z/GKISibrKCLohPgtG7yIxSk4C:user"]',
      'auth-access: ["me:agents:rw"]',
      `auth-tokens: ["me:${token}:test"]`,
    ],
    authorization: `Bearer ${token}`,
  });
  const server = { server: ntfy.url, topic: 'agents' };
  expect(await sendTest(server)).toMatchObject({ ok: false, fault: 'not_authorised', status: 403 });
  expect(await sendTest({ ...server, token: 'tk_wrong' })).toMatchObject({
    fault: 'not_authorised',
    status: 401,
  });
  expect(await sendTest({ ...server, token })).toMatchObject({ ok: true });
  expect(await sendTest({ ...server, language: 'de', token })).toMatchObject({ ok: true });
  const events = await ntfy.untilEvents('agents', 'message', 2);
  expect(events.map(({ title }) => title)).toEqual(['Signalbox: test', 'Signalbox: Test']);
});

it('too many messages at once are told as such', async () => {
  const ntfy = await startNtfy({ limited: true, config: () => ['visitor-request-limit-burst: 3'] });
  const client = createNtfyClient({ server: ntfy.url });
  onTestFinished(() => client.close());
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => client.publish(MESSAGE)));
  expect(outcomes).toContainEqual({
    ok: false,
    fault: 'rate_limited',
    retry: true,
    status: 429,
    code: 42901,
  });
});
