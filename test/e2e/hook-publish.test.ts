import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { viewBus } from '../support/bus-viewer.ts';
import { readHubDatabase } from '../support/hub-database.ts';
import { startHub } from '../support/hub.ts';
import { payload, payloadPath } from '../support/payloads.ts';
import { dependency, shell } from '../support/shell.ts';
import { until } from '../support/until.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 120_000 });

/** One event as a user's script would publish it. */
type Publish = (port: number, body: string | Buffer) => Promise<void>;

const mqttPub: Publish = async (port, body) => {
  const args = ['pub', '-h', '127.0.0.1', '-p', String(port), '-t', 'hook/claude', '-q', '1', '-s'];
  expect(await shell(dependency('mqtt'), args, { input: body })).toMatchObject({ status: 0, stderr: '' });
};
const mosquittoPub: Publish = async (port, body) => {
  const args = ['-h', '127.0.0.1', '-p', String(port), '-t', 'hook/claude', '-q', '1', '-s'];
  expect(await shell('mosquitto_pub', args, { input: body })).toMatchObject({ status: 0, stderr: '' });
};
const curl: Publish = async (port, body) => {
  const args = ['-sS', '-w', '%{http_code}', '-H', 'Content-Type: application/json', '--data-binary', '@-'];
  expect(await shell('curl', [...args, `http://127.0.0.1:${port}/hook/claude`], { input: body })).toEqual({
    status: 0,
    stdout: '204',
    stderr: '',
  });
};

const REQUEST = readFileSync(payloadPath('claude/PermissionRequest'));
const OTHER_TOOL = readFileSync(payloadPath('claude/PostToolUse'));
/** The tool that was asked for has run: as Claude Code says it, with a description that may be another one. */
const ANSWER = JSON.stringify({
  ...payload('claude/PostToolUse'),
  tool_name: payload('claude/PermissionRequest')['tool_name'],
  tool_input: payload('claude/PermissionRequest')['tool_input'],
  tool_response: { stdout: '', stderr: '' },
});

describe.each([
  ['mqtt pub', mqttPub, 'mqtt'],
  ['mosquitto_pub', mosquittoPub, 'mqtt'],
  ['curl', curl, 'http'],
] as const)('a permission request by %s', (_name, publish, door) => {
  it('turns the retained signal to needs_user, alerts once, and is answered by its own tool alone', async () => {
    const hub = await startHub();
    const port = door === 'http' ? hub.http_port : hub.mqtt_port;
    const bus = await viewBus({ port: hub.mqtt_port });
    await publish(port, REQUEST);

    const waiting = await bus.untilSignal('claude', ({ attention }) => attention.state === 'needs_user');
    expect(waiting).toMatchObject({
      v: 1,
      name: 'Claude',
      lamp: 'permission',
      attention: { count: 1, primary_project: 'shop', projects: ['shop'], reason: 'permission_request' },
      alert: 0,
    });
    const alerted = await bus.untilSignal('claude', ({ alert }) => alert > 0);
    expect(alerted).toEqual({ ...waiting, alert: 1 });

    // Whoever comes later finds it retained.
    const late = await viewBus({ port: hub.mqtt_port }, ['signal/+', 'lamp/+', 'line']);
    await late.untilSignal('claude', () => true);
    const retained = late.seen.find(({ topic }) => topic === 'signal/claude');
    expect(retained).toMatchObject({ retained: true, payload: JSON.stringify(alerted) });
    expect(Buffer.byteLength(retained?.payload ?? '')).toBeLessThanOrEqual(512);
    await until(() => late.last('lamp/claude') !== undefined && late.last('lamp/all') !== undefined);
    expect([late.last('lamp/claude'), late.last('lamp/all')]).toEqual(['permission', 'permission']);

    await publish(port, REQUEST);
    await publish(port, OTHER_TOOL);
    expect(readHubDatabase(hub.home).events.at(-1)?.event).toBe('PostToolUse');
    expect(bus.signal('claude')).toMatchObject({
      attention: { state: 'needs_user' },
      lamp: 'permission',
      alert: 1,
    });

    await publish(port, ANSWER);
    const running = await bus.untilSignal('claude', ({ attention }) => attention.state === 'running');
    expect(running).toMatchObject({ lamp: 'active', attention: { reason: 'tool_use', count: 1 }, alert: 1 });
    expect(bus.of('signal/claude/event').map((text) => JSON.parse(text).event_type)).toEqual([
      'needs_user',
      'running',
    ]);
  });

  it('works with two events written by hand, without a tool', async () => {
    const hub = await startHub();
    const port = door === 'http' ? hub.http_port : hub.mqtt_port;
    const bus = await viewBus({ port: hub.mqtt_port });
    await publish(port, '{"event":"PermissionRequest","session_id":"by-hand","cwd":"/home/dev/web-shop"}');
    const waiting = await bus.untilSignal('claude', ({ attention }) => attention.state === 'needs_user');
    expect(waiting.attention.primary_project).toBe('web-shop');
    await publish(port, '{"event":"PostToolUse","session_id":"by-hand"}');
    await bus.untilSignal('claude', ({ attention }) => attention.state === 'running');
  });
});

it('takes the event as an argument of mqtt pub too', async () => {
  const hub = await startHub();
  const bus = await viewBus({ port: hub.mqtt_port });
  const send = async (message: string): Promise<void> => {
    const where = ['-h', '127.0.0.1', '-p', String(hub.mqtt_port), '-t', 'hook/Codex', '-q', '1'];
    expect(await shell(dependency('mqtt'), ['pub', ...where, '-m', message])).toMatchObject({ status: 0 });
  };
  await send('{"event":"PermissionRequest","cwd":"/srv/api"}');
  await bus.untilSignal('codex', ({ attention }) => attention.state === 'needs_user');
  await send('{"event":"PreToolUse","cwd":"/srv/api"}');
  await bus.untilSignal('codex', ({ attention }) => attention.state === 'running');
  expect(bus.signal('claude')?.attention.state).toBe('idle');
});

describe('POST /hook/<provider>', () => {
  it('answers with the status that says what to do, and the code', async () => {
    const hub = await startHub();
    const url = `${hub.url}/hook/claude`;
    const json = { 'content-type': 'application/json' };
    const body = '{"event":"UserPromptSubmit","session_id":"s","cwd":"/srv/shop"}';
    const requests: (readonly [number, string | undefined, RequestInit])[] = [
      [204, undefined, { headers: json, body }],
      [422, 'bad_json', { headers: json, body: '{' }],
      [415, 'wrong_content_type', { headers: { 'content-type': 'text/plain' }, body }],
      [403, 'foreign_origin', { headers: { ...json, origin: 'https://page.example' }, body }],
      [413, 'too_large', { headers: json, body: Buffer.alloc(16 * 1024 * 1024 + 1, 0x20) }],
    ];
    for (const [status, code, request] of requests) {
      const answer = await fetch(url, { method: 'POST', ...request });
      const text = await answer.text();
      const found = text === '' ? undefined : (JSON.parse(text) as { error: { code: string } }).error.code;
      expect([answer.status, found]).toEqual([status, code]);
    }
    const said = await shell('curl', [
      '-sS',
      '-H',
      'Host: page.example',
      '-H',
      'Content-Type: application/json',
      '-d',
      body,
      url,
    ]);
    expect(JSON.parse(said.stdout)).toMatchObject({ ok: false, error: { code: 'foreign_host' } });
    expect(readHubDatabase(hub.home).events).toHaveLength(1);
  });
});
