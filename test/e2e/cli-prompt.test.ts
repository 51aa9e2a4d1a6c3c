import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { HOSTILE_NAMES } from '../support/bars/hostile-names.ts';
import { type CliHub, signalOf, startCliHub, waiting } from '../support/cli-hub.ts';
import { runCli } from '../support/run-cli.ts';
import { loadedSources } from '../support/shipped-modules.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 90_000 });
/** Two days and a half [s]: no test takes so long that it reads differently. */
const LONG = 216_000;

const PROMPT = ['status', '--format', 'starship'];

/** The same asked of the whole command, which reads the settings. */
function whole(hub: CliHub) {
  const settings = join(hub.home, 'none.toml');
  writeFileSync(settings, '');
  return runCli([...PROMPT, '--config', settings], hub);
}

describe('the line of a prompt', () => {
  it('loads no package: a shell waits for it each time', async () => {
    const { packages, own } = await loadedSources(PROMPT);
    expect(packages).toEqual([]);
    expect(own).toContain('cli/status/prompt/run-prompt.ts');
  });

  it('says what the whole command says', async () => {
    const hub = await startCliHub({ home: temporaryFolder(), prefix: 'team/alice' });
    await hub.announce({ claude: signalOf('Claude'), codex: signalOf('Codex') });
    expect(await runCli(PROMPT, hub)).toEqual({ status: 0, signal: null, stdout: '∙\n', stderr: '' });
    for (const name of [HOSTILE_NAMES[0], HOSTILE_NAMES[3], HOSTILE_NAMES[7]]) {
      await hub.announce(
        { claude: signalOf('Claude'), codex: waiting('Codex', [name, 'b'], LONG) },
        { lamp: 'permission' },
      );
      const shown = await runCli(PROMPT, hub);
      expect(shown.stdout).toMatch(/^! Codex .*: permission 2 d \+1\n$/);
      expect(shown).toEqual(await whole(hub));
    }
  });

  it('says that no hub is there when it has stopped, is gone, or says nothing', async () => {
    const home = temporaryFolder();
    const offline = { status: 1, stdout: '~ offline\n' };
    expect(await runCli(PROMPT, { home })).toMatchObject(offline);
    const hub = await startCliHub({ home });
    const silent = await runCli(PROMPT, { home });
    expect(silent).toMatchObject(offline);
    expect(silent.stderr).toContain('signalbox up');
    await hub.announce({ codex: signalOf('Codex') });
    expect(await runCli(PROMPT, { home })).toMatchObject({ status: 0, stdout: '∙\n' });
    await hub.publish('hubState', {}, 'offline');
    expect(await runCli(PROMPT, { home })).toMatchObject(offline);
    // hub.json is still there, as after a kill.
    await hub.stop();
    expect(await runCli(PROMPT, { home })).toMatchObject(offline);
  });

  it('shows nothing as known while a signal can not be read', async () => {
    const hub = await startCliHub({ home: temporaryFolder() });
    await hub.announce({ codex: signalOf('Codex') });
    await hub.publish('signal', { provider: 'codex' }, '{"v":1,"lamp":"ready"}');
    expect(await runCli(PROMPT, hub)).toMatchObject({ status: 1, stdout: '~ offline\n' });
  });

  it('asks the bus that the settings name', async () => {
    const other = await startCliHub({ home: temporaryFolder() });
    await other.announce({ codex: waiting('Codex', ['web-shop'], LONG) }, { lamp: 'permission' });
    const home = temporaryFolder();
    const hub = await startCliHub({ home });
    await hub.announce({ codex: signalOf('Codex') });
    writeFileSync(join(home, 'config.toml'), `[broker]\nurl = "mqtt://127.0.0.1:${other.bus.port}"\n`);
    expect((await runCli(PROMPT, { home })).stdout).toBe('! Codex web-shop: permission 2 d\n');
  });
});
