import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { CANARY } from '../support/canary.ts';
import { listen } from '../support/listen.ts';
import { payload } from '../support/payloads.ts';
import { runSender, SILENT, spooled, writeTestHubFile } from '../support/sender.ts';
import { installSender, senderByWay, WAYS } from '../support/shell-sender.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { filesWith } from '../support/written-bytes.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 120_000 });

const STOP = JSON.stringify(payload('claude/Stop'));
const [BASH, , MOSQUITTO, CURL] = WAYS;

describe('what nobody else may see', () => {
  /** Command lines of all processes, as ps shows them. */
  const commandLines = (): string =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => {
        try {
          return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        } catch {
          return '';
        }
      })
      .join('\n');

  it.each([
    ['bash', BASH, ''],
    ['mosquitto_pub', MOSQUITTO, 'mosquitto_pub\0'],
    ['curl', CURL, 'curl\0'],
  ])('%s: nothing private is in a command line, on disk or in the spool', async (_name, way, program) => {
    const home = temporaryFolder();
    // It answers nobody, so that there is time to look.
    const port = await listen(() => undefined);
    await writeTestHubFile(home, { mqtt_port: port, http_port: port });
    const { by, env } = senderByWay(home, way);
    installSender(home);
    const input = { ...payload('claude/PostToolUse'), tool_response: CANARY, prompt: CANARY };
    const seen: string[] = [];
    let ended = false;
    const looking = until(() => {
      seen.push(commandLines());
      return ended && spooled(home).length > 0;
    });
    expect(await runSender(['claude'], { home, input, by, env: { ...env, SECRET: CANARY } })).toEqual(SILENT);
    ended = true;
    await looking;
    expect(seen.some((lines) => lines.includes(program))).toBe(true);
    expect(seen.filter((lines) => lines.includes(CANARY))).toEqual([]);
    expect(filesWith(home, CANARY)).toEqual([]);
  });

  it('who keeps the event in the background holds nothing of the agent', async () => {
    const home = temporaryFolder();
    const node = join(home, 'slow-node');
    const told = join(home, 'told');
    writeFileSync(
      node,
      `#!/bin/sh\ncat >/dev/null\necho $$ >"${told}.part"\nmv "${told}.part" "${told}"\nexec sleep 600\n`,
      { mode: 0o755 },
    );
    const by = [installSender(home, { node })];
    expect(await runSender(['claude'], { home, input: STOP, by })).toEqual(SILENT);
    await until(() => existsSync(told));
    const pid = Number(readFileSync(told, 'utf8'));
    onTestFinished(() => void process.kill(pid, 'SIGKILL'));
    // Fields of /proc/PID/stat after the name: state, parent, group, session (proc(5)).
    const [, , group, session] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    const [, , ownGroup, ownSession] = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    expect(group).not.toBe(ownGroup);
    expect(session).not.toBe(ownSession);
  });
});
