import { expect, it, vi } from 'vitest';
import { viewBus } from '../support/bus-viewer.ts';
import { CANARY, planted } from '../support/canary.ts';
import { readHubDatabase } from '../support/hub-database.ts';
import { startHub } from '../support/hub.ts';
import { connect } from '../support/mqtt-client.ts';
import { payload, payloadNames } from '../support/payloads.ts';
import { until } from '../support/until.ts';
import { filesWith } from '../support/written-bytes.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 120_000 });

const WORD = 'canary';

/** Every way in which an agent's payload is sent, with the canary wherever text is not let through. */
function forms(name: string, door: string): { provider: string; body: string }[] {
  const [agent = ''] = name.split('/');
  const provider = agent.split('-')[0] ?? '';
  const hook = { ...planted(payload(name)), session_id: `${door}-${name.replace('/', '-')}` };
  // Copilot's payloads name no event: it stands beside them.
  const event = agent === 'copilot' ? name.split(/[/-]/)[1] : undefined;
  const envelope = {
    v: 1,
    id: `${door} ${name}`,
    ...(event !== undefined && { event }),
    sent_at: Date.now(),
    ppid: 4711,
    tty: '/dev/pts/3',
    env: { TERM_PROGRAM: 'ghostty', AWS_SECRET_ACCESS_KEY: CANARY, SSH_CONNECTION: CANARY, [CANARY]: CANARY },
    hook,
    [CANARY]: CANARY,
  };
  return [event === undefined ? hook : { ...envelope, id: `${door} ${name} again` }, envelope].map(
    (body) => ({ provider, body: JSON.stringify(body) }),
  );
}

/** What is refused must tell as little. */
const REFUSED = [
  { provider: 'claude', body: `{"event":"Stop","prompt":"${CANARY}"` },
  { provider: 'claude', body: JSON.stringify({ signal: CANARY, session_id: 's' }) },
  { provider: 'claude', body: JSON.stringify({ hook_event_name: 'Stop', last_assistant_message: CANARY }) },
  { provider: 'claude', body: CANARY },
];

it('nothing of prompts, tools, messages and environments reaches disk, bus or log', async () => {
  const hub = await startHub({ env: { SIGNALBOX_LOG_LEVEL: 'debug' } });
  const viewer = await viewBus({ port: hub.mqtt_port });
  const operator = await viewBus({ path: hub.socket });
  // A session that is away, so that the broker queues for it.
  const away = { path: hub.socket, clientId: 'away', clean: false };
  const leaving = await connect(away);
  await leaving.subscribe('#');
  await leaving.close();
  await expect(
    connect({
      port: hub.mqtt_port,
      will: { topic: 'hook/claude', payload: Buffer.from(CANARY), qos: 1, retain: true },
    }),
  ).rejects.toThrow('Not authorized');

  const natives = ['gemini', 'cursor', 'codebuddy', 'qwen', 'copilot', 'opencode', 'amp'];
  const agents = ['claude', 'codex', 'codex-notify', ...natives];
  const names = agents.flatMap(payloadNames);
  const client = await connect({ port: hub.mqtt_port });
  for (const { provider, body } of names.flatMap((name) => forms(name, 'mqtt'))) {
    expect(body).toContain(CANARY);
    await client.publish(`hook/${provider}`, body, { retain: true });
  }
  const byHttp = names.flatMap((name) => forms(name, 'http'));
  const headers = { 'content-type': 'application/json' };
  for (const { provider, body } of byHttp) {
    const { status } = await fetch(`${hub.url}/hook/${provider}`, { method: 'POST', headers, body });
    expect([body.slice(0, 40), status]).toEqual([body.slice(0, 40), 204]);
  }
  for (const { provider, body } of REFUSED) {
    await client.publish(`hook/${provider}`, body);
    const answer = await fetch(`${hub.url}/hook/${provider}`, { method: 'POST', headers, body });
    expect([answer.status, (await answer.text()).includes(WORD)]).toEqual([422, false]);
  }
  const last = JSON.stringify({
    ...planted(payload('claude/PermissionRequest')),
    session_id: 'last',
    cwd: '/srv/end',
  });
  await client.publish('hook/claude', last);
  await viewer.untilSignal('claude', ({ attention }) => attention.primary_project === 'end');

  const { events, refused } = readHubDatabase(hub.home);
  expect(events.length).toBeGreaterThanOrEqual(2 * byHttp.length - 2 * names.length);
  // The will above is the one that was not allowed.
  expect(refused).toEqual({ not_allowed: 1, bad_json: 4, unknown_signal: 2, no_identity: 2 });
  expect(filesWith(hub.home, WORD)).toEqual([]);

  const back = await connect(away);
  await until(() => back.messages.some(({ payload: text }) => text.includes('"end"')));
  for (const seen of [viewer.seen, operator.seen, back.messages]) {
    // A retained topic is published once a commit, so how many there are depends on how fast events come.
    expect(seen.length).toBeGreaterThan(10);
    expect(seen.filter(({ topic, payload: text }) => `${topic}${text}`.includes(WORD))).toEqual([]);
  }
  // What was published with a retain bit is not there for whoever comes later.
  const late = await viewBus({ path: hub.socket });
  await late.untilSignal('claude', () => true);
  expect(late.seen.filter(({ topic }) => topic.startsWith('hook/'))).toEqual([]);

  await hub.end('SIGKILL');
  expect(filesWith(hub.home, WORD)).toEqual([]);
  const again = await startHub({ home: hub.home, env: { SIGNALBOX_LOG_LEVEL: 'debug' } });
  await again.end('SIGTERM');
  expect(filesWith(hub.home, WORD)).toEqual([]);
  expect(hub.output() + again.output()).toContain('listening');
  expect(hub.output() + again.output()).not.toContain(WORD);
});
