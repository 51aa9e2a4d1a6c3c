import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { nameText } from '../../cli/status/bar/bar-text.ts';
import { HOSTILE_NAMES } from '../support/bars/hostile-names.ts';
import { startCliHub, waiting } from '../support/cli-hub.ts';
import { cliEnvironment, PROGRAM } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 90_000 });

/** Two days and a half [s]: no test takes so long that it reads differently. */
const LONG = 216_000;

interface I3blocks {
  /** The text of our block in the newest status line. */
  text(): string;
}

/** A real i3blocks with the snippet of docs/status-bars.md, in i3bar's place us. */
function startI3blocks(home: string): I3blocks {
  const config = join(home, 'i3blocks.conf');
  const command = `exec ${process.execPath} ${PROGRAM} status --format i3blocks --follow`;
  writeFileSync(config, `[signalbox]\ncommand=${command}\ninterval=persist\nformat=json\n`);
  const child = spawn('i3blocks', ['-c', config], {
    env: cliEnvironment({ home }),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const closed = once(child, 'close');
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await closed;
  });
  return {
    text() {
      const line = output.split('\n').slice(0, -1).at(-1) ?? '';
      if (!/^,?\[\{/.test(line)) return '';
      const blocks = JSON.parse(line.replace(/^,/, '')) as { name?: string; full_text: string }[];
      return blocks.find(({ name }) => name === 'signalbox')?.full_text ?? '';
    },
  };
}

/** Waits for it, and says what stands there when it does not come. */
async function shown({ text }: I3blocks, wanted: string): Promise<void> {
  await expect.poll(text, { timeout: 30_000, interval: 20 }).toBe(wanted);
}

describe('a real i3blocks', () => {
  it('shows names of projects as they are, whatever they try, and that the hub is gone', async () => {
    const home = temporaryFolder();
    const hub = await startCliHub({ home });
    const bar = startI3blocks(home);
    for (const name of HOSTILE_NAMES.filter((each) => each !== '')) {
      const project = name.slice(0, 60);
      await hub.announce({ codex: waiting('Codex', [project], LONG) }, { lamp: 'permission' });
      const drawn = nameText(project).replaceAll('"', '″').replaceAll('\\', '∖');
      await shown(bar, `! Codex ${drawn}: permission 2 d`);
    }
    await hub.stop();
    await shown(bar, '~ offline');
  });
});
