import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { describe, expect, it, vi } from 'vitest';
import { agentHome } from '../support/agent-home.ts';
import { readHubDatabase } from '../support/hub-database.ts';
import { payload } from '../support/payloads.ts';
import { runSender, SENDER, SILENT, spooled } from '../support/sender.ts';
import { senderByWay, WAYS } from '../support/shell-sender.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 120_000 });

const CONFIG = '.codex/config.toml';
const NOTIFY = JSON.stringify(payload('codex-notify/agent-turn-complete'));
/** Writes its arguments to the file named first, an argument a line, and the last line when it is through. */
const OLD = '#!/bin/sh\nfor each do printf "%s\\n" "$each"; done >"$1.part"\nmv "$1.part" "$1"\n';

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

describe("Codex' notify", () => {
  it('sends its event and runs the program that was there; status says so, and uninstall gives the file back', async () => {
    const home = agentHome();
    const hub = await home.hub();
    home.program('old', OLD);
    const told = join(home.path, 'told by old');
    const before = `# mine\r\nnotify = [\r\n  "${join(home.path, 'programs/old')}",\r\n  "${told}", "it's \\"b\\"",\r\n]\r\n`;
    home.put(CONFIG, before);
    await home.cli(['hooks', 'install', 'codex', '--yes']);
    expect(home.read(CONFIG)).toBe(before);
    expect((await home.cli(['hooks', 'status'])).stdout).toContain('its notify is another program');

    const installed = await home.cli(['hooks', 'install', 'codex', '--notify', '--yes']);
    expect([installed.status, installed.stderr]).toEqual([0, '']);
    expect(installed.stdout.match(/Self-test/g)).toHaveLength(1);
    expect((await home.cli(['hooks', 'status'])).stdout).toContain('runs the program that was there');
    const once = home.read(CONFIG);
    await home.cli(['hooks', 'install', 'codex', '--notify', '--yes']);
    expect(home.read(CONFIG)).toBe(once);

    const [program = '', ...args] = parse(once)['notify'] as string[];
    expect(await runSender([...args, NOTIFY], { home: hub.home, by: [program] })).toEqual(SILENT);
    await until(() => textOf(told) !== undefined);
    expect(textOf(told)).toBe(`${[told, `it's "b"`, NOTIFY].join('\n')}\n`);
    await until(() =>
      readHubDatabase(hub.home).events.some(({ native }) => native === 'agent-turn-complete'),
    );

    const gone = await home.cli(['hooks', 'uninstall', 'codex', '--yes']);
    expect([gone.status, gone.stderr, home.read(CONFIG)]).toEqual([0, '', before]);
    expect(gone.stdout).toContain('The sender is gone too.');
  });

  it('is about Codex alone, and a file that nobody understands stays', async () => {
    const home = agentHome();
    const wrong = await home.cli(['hooks', 'install', 'claude', '--notify', '--yes']);
    expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining('--notify')]);
    home.put(CONFIG, 'a = 1\nb = \n');
    const bad = await home.cli(['hooks', 'install', 'codex', '--notify', '--yes']);
    expect([bad.status, bad.stderr]).toEqual([1, expect.stringContaining('line 2, column 5')]);
    expect(home.read(CONFIG)).toBe('a = 1\nb = \n');
    const gone = await home.cli(['hooks', 'uninstall', '--yes']);
    expect([gone.status, gone.stderr]).toEqual([0, '']);
  });
});

describe.each([
  ...WAYS.map((way) => [way.name, (home: string) => senderByWay(home, way)] as const),
  ['the Node program', () => ({ by: [process.execPath, SENDER], env: {} })] as const,
])('without a hub, by %s', (name, senderIn) => {
  it('the old program runs all the same, and its output is its own', async () => {
    const home = temporaryFolder();
    const { by, env } = senderIn(home);
    const ended = await runSender(
      ['codex-notify', '--', '/bin/sh', '-c', 'printf "%s\\n" "$@"; echo oops >&2', 'old', '-n', NOTIFY],
      { home, by, env },
    );
    expect([name, ended]).toEqual([name, { status: 0, stdout: `-n\n${NOTIFY}\n`, stderr: 'oops\n' }]);
    const none = await runSender(['codex-notify', '--', '/nowhere/old', NOTIFY], { home, by, env });
    expect([name, none]).toEqual([name, SILENT]);
  });

  it('waits for nothing of it', async () => {
    const home = temporaryFolder();
    const { by, env } = senderIn(home);
    const go = join(home, 'go');
    const script = 'exec >/dev/null 2>&1; until [ -e "$1" ]; do /bin/sleep 0.05; done; : >"$1.seen"';
    await runSender(['codex-notify', '--', '/bin/sh', '-c', script, 'old', go, NOTIFY], { home, by, env });
    writeFileSync(go, '');
    await until(() => existsSync(`${go}.seen`));
    expect([name, existsSync(`${go}.seen`)]).toEqual([name, true]);
  });
});

it('without a hub its event is kept', async () => {
  const home = temporaryFolder();
  await runSender(['codex-notify', '--', 'true', NOTIFY], { home });
  await until(() => spooled(home).length > 0);
  expect(spooled(home)).toMatchObject([{ provider: 'codex', native: 'agent-turn-complete', notify: true }]);
});
