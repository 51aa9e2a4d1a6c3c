import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { type CliHub, startCliHub } from '../support/cli-hub.ts';
import { readHubDatabase } from '../support/hub-database.ts';
import { startHub } from '../support/hub.ts';
import { payload } from '../support/payloads.ts';
import { runSender, type SenderOptions, SILENT, spooled, spoolFiles } from '../support/sender.ts';
import { installSender, senderByWay, WAYS } from '../support/shell-sender.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 120_000 });

const STOP = payload('codex/Stop');
const [BASH, , MOSQUITTO, CURL] = WAYS;

/** Sends until a broker has it: one that is slow with its answer gets nothing more within the sender's time. */
async function untilGated(
  { home, bus }: CliHub,
  args: readonly string[],
  options: Omit<SenderOptions, 'home'>,
): Promise<{ topic: string; bytes: Buffer }> {
  const before = bus.gated.length;
  await until(async () => {
    expect((await runSender(args, { ...options, home })).status).toBe(0);
    return bus.gated.length > before;
  });
  const taken = bus.gated.at(-1);
  return { topic: taken?.topic ?? '', bytes: Buffer.from(taken?.payload ?? []) };
}

describe.each(WAYS)('by $name', (way) => {
  it('an event arrives, and it is the same event', async () => {
    const hub = await startHub();
    const sender = senderByWay(hub.home, way);
    const env = {
      ...sender.env,
      TMUX_PANE: '%"7\\',
      TERM_PROGRAM: 'ghostty',
      SSH_CONNECTION: '10.0.0.9 22',
      SECRET: 'no',
    };
    const input = payload('claude/PermissionRequest');
    await until(async () => {
      expect(await runSender(['claude'], { home: hub.home, input, by: sender.by, env })).toEqual(SILENT);
      return readHubDatabase(hub.home).events.length > 0;
    });
    const [{ id, sent_at: _, ...event } = { id: '' }] = readHubDatabase(hub.home).events;
    expect(id).toMatch(/^[\w-]{16,40}$/);
    expect(event).toEqual({
      v: 1,
      event: 'PermissionRequest',
      provider: 'claude',
      session_id: input['session_id'],
      prompt_id: input['prompt_id'],
      cwd: input['cwd'],
      host: 'studio',
      transcript: input['transcript_path'],
      tool: input['tool_name'],
      digest: expect.any(String),
      permission_mode: input['permission_mode'],
      ppid: process.pid,
      tmux_pane: '%"7\\',
      term_program: 'ghostty',
      ssh: true,
      enveloped: true,
    });
    expect(spoolFiles(hub.home)).toEqual([]);
  });

  it.each([
    ['codex', [], STOP, '{}'],
    ['codex', [], payload('codex/SubagentStop'), '{}'],
    ['codex', ['Stop'], { session_id: 's' }, '{}'],
    ['codex', [], payload('codex/PermissionRequest'), ''],
    ['cursor', [], payload('cursor/sessionStart'), '{}'],
    ['claude', [], payload('claude/Stop'), ''],
  ])('%s %j is answered as the agent wants it, without a hub too', async (provider, more, input, stdout) => {
    const home = temporaryFolder();
    const { by, env } = senderByWay(home, way);
    expect(await runSender([provider, ...more], { home, input, by, env })).toEqual({ ...SILENT, stdout });
  });
});

describe('the envelope', () => {
  it('holds what the agent said, byte for byte, and of the environment what it may', async () => {
    const hub = await startCliHub({ home: temporaryFolder(), socket: false, prefix: 'team/alice' });
    const { by, env } = senderByWay(hub.home, BASH);
    const before = Date.now();
    const { topic, bytes } = await untilGated(hub, ['copilot', 'se"ss\\ion\tEnd\u0001é'], {
      by,
      input: STOP,
      env: {
        ...env,
        TMUX_PANE: '%7"\\\n\u001b',
        TERM_PROGRAM: 'x'.repeat(300),
        SECRET: 'no',
        hook: 'no',
        tty: 'no',
      },
    });
    expect(topic).toBe('team/alice/hook/copilot');
    const { tty: _, ...envelope } = JSON.parse(bytes.toString()) as Record<string, unknown>;
    expect(envelope).toEqual({
      v: 1,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      sent_at: expect.any(Number),
      ppid: process.pid,
      event: 'se"ss\\ion\tEnd\u0001é',
      env: { TMUX_PANE: '%7"\\\n\u001b' },
      hook: STOP,
    });
    expect(Number(envelope['sent_at'])).toBeGreaterThanOrEqual(before);
    expect(Number(envelope['sent_at'])).toBeLessThanOrEqual(Date.now());
  });

  it.each([
    ['one byte', Buffer.from('7')],
    ['every byte but NUL', Buffer.from(Array.from({ length: 255 }, (_, index) => index + 1))],
    [
      'formats, escapes and expansions',
      Buffer.from('{"a":"%s %n \\\\0 \\u0000 $(touch x) `id` ${HOME} \\"*"}'),
    ],
    ['newlines and spaces at both ends', Buffer.from('\n \t{"a":1}\r\n\n ')],
    ['UTF-8 of two to four bytes', Buffer.from(`{"a":"${'aé€😀'.repeat(3000)}"}`)],
    ['127 and 128 bytes and their kind', Buffer.from(`"${'x'.repeat(16_200)}"`)],
    ['nearly too much for the shell', Buffer.from(`"${'x'.repeat(49_149)}"`)],
  ])('%s', async (_name, input) => {
    const hub = await startCliHub({ home: temporaryFolder(), socket: false });
    for (const way of [BASH, MOSQUITTO]) {
      const { by, env } = senderByWay(hub.home, way);
      const { bytes } = await untilGated(hub, ['claude'], { by, env, input });
      const hook = bytes.subarray(bytes.indexOf('"hook":') + '"hook":'.length, -1).toString('latin1');
      const sent = input.toString('latin1');
      // An older shell reads by a substitution, which takes newlines off the end: white space, to JSON.
      expect(hook === (way === BASH ? sent : sent.replace(/\n+$/, ''))).toBe(true);
    }
  });

  it('comes from the command line where the agent puts it there', async () => {
    const hub = await startCliHub({ home: temporaryFolder(), socket: false });
    const { by, env } = senderByWay(hub.home, BASH);
    const notify = payload('codex-notify/agent-turn-complete');
    const { topic, bytes } = await untilGated(hub, ['codex', JSON.stringify(notify)], { by, env });
    const envelope = JSON.parse(bytes.toString()) as Record<string, unknown>;
    expect([topic, envelope['hook'], envelope['event']]).toEqual(['hook/codex', notify, undefined]);
  });
});

describe('a large event', () => {
  it.each([49_152, 200_000, 10 * 1024 * 1024])('of %i bytes arrives', async (size) => {
    const hub = await startHub();
    const by = [installSender(hub.home)];
    const frame = JSON.stringify({ ...payload('claude/PostToolUse'), tool_response: { stdout: '' } });
    const input = frame.replace('"stdout":""', `"stdout":"${'x'.repeat(size - frame.length)}"`);
    await until(async () => {
      expect(await runSender(['claude'], { home: hub.home, input, by })).toEqual(SILENT);
      return readHubDatabase(hub.home).events.length > 0;
    });
    expect(readHubDatabase(hub.home).events[0]).toMatchObject({
      event: 'PostToolUse',
      enveloped: true,
      ppid: process.pid,
    });
  });
});

describe('without a hub', () => {
  it.each([
    ['bash', BASH],
    ['mosquitto_pub', MOSQUITTO],
    ['curl', CURL],
  ])('(%s) an event waits in the spool and arrives once one starts', async (_name, way) => {
    const home = temporaryFolder();
    const { by, env } = senderByWay(home, way);
    installSender(home);
    expect(await runSender(['codex'], { home, input: STOP, by, env })).toEqual({ ...SILENT, stdout: '{}' });
    await until(() => spooled(home).length === 1);
    const hub = await startHub({ home });
    await until(() => readHubDatabase(home).events.length === 1);
    expect(readHubDatabase(home).events[0]).toMatchObject({
      event: 'Stop',
      enveloped: true,
      ppid: process.pid,
    });
    await hub.end('SIGTERM');
    expect(spoolFiles(home)).toEqual([]);
  });

  it('many senders at once lose nothing, and with a hub neither', async () => {
    const home = temporaryFolder();
    const by = [installSender(home)];
    const burst = async (name: string): Promise<void> => {
      const sending = Array.from({ length: 20 }, (_, index) => {
        const input = { ...payload('claude/UserPromptSubmit'), session_id: `${name}${index}` };
        return runSender(['claude'], { home, by, input });
      });
      expect(await Promise.all(sending)).toEqual(sending.map(() => SILENT));
    };
    await burst('before');
    await until(() => spooled(home).length === 20);
    await startHub({ home });
    await burst('after');
    await until(() => readHubDatabase(home).events.length >= 40 && spoolFiles(home).length === 0);
    const { events } = readHubDatabase(home);
    expect(new Set(events.map(({ session_id }) => session_id)).size).toBe(40);
    expect(events).toHaveLength(40);
    expect(new Set(events.map(({ id }) => id)).size).toBe(40);
    expect(existsSync(join(home, 'x'))).toBe(false);
  });
});
