import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { nameText } from '../../cli/status/bar/bar-text.ts';
import { HOSTILE_NAMES } from '../support/bars/hostile-names.ts';
import { type CliHub, signalOf, startCliHub, waiting } from '../support/cli-hub.ts';
import { PROGRAM } from '../support/run-cli.ts';
import { shell } from '../support/shell.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openTerminal, type Terminal } from '../support/tmux.ts';

// tmux draws its status line once a second at most, and a machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 180_000 });

/** Two days and a half [s]: no test takes so long that it reads differently. */
const LONG = 216_000;

const BAR = `${process.execPath} ${PROGRAM} status --format tmux --follow`;

/** A tmux inside the terminal, with the snippet of docs/status-bars.md as its status line and nothing else in it. */
async function openTmux(
  home: string,
  columns = 100,
): Promise<{ terminal: Terminal; status(): Promise<string> }> {
  writeFileSync(
    join(home, 'tmux.conf'),
    [
      'set -g status-interval 1',
      'set -g status-left ""',
      'set -g window-status-format ""',
      'set -g window-status-current-format ""',
      'set -g status-right-length 80',
      `set -g status-right '#(exec ${BAR})'`,
    ].join('\n'),
  );
  const terminal = await openTerminal({ home, columns });
  const inner = join(home, 'inner');
  // It has a server of its own, which the terminal's end does not end.
  onTestFinished(async () => void (await shell('tmux', ['-S', inner, 'kill-server'])));
  await terminal.keys('-l', `TMUX= tmux -S ${inner} -f ${home}/tmux.conf new-session sh`);
  await terminal.keys('Enter');
  return {
    terminal,
    status: async () => (await terminal.screen()).findLast((line) => line !== '')?.trim() ?? '',
  };
}

/** Waits for it, and says what stands there when it does not come. */
async function shown(status: () => Promise<string>, text: string): Promise<void> {
  await expect.poll(status, { timeout: 60_000, interval: 50 }).toBe(text);
}

async function show(hub: CliHub, project: string): Promise<void> {
  await hub.announce({ codex: waiting('Codex', [project], LONG) }, { lamp: 'permission', line: 'x' });
}

describe('the status line of a real tmux', () => {
  it.each([100, 40])(
    'at %i columns: shows who waits in its colour, and that the hub is gone',
    async (columns) => {
      const home = temporaryFolder();
      const hub = await startCliHub({ home });
      await show(hub, 'web-shop');
      const { terminal, status } = await openTmux(home, columns);
      await shown(status, '! Codex web-shop: permission 2 d');
      // Red on the green of tmux' own status line.
      expect(await terminal.coloured()).toMatch(
        /\u001b\[[\d;]*31[\d;]*m[^\u001b]*! Codex web-shop: permission 2 d/,
      );
      await hub.announce({ codex: signalOf('Codex') });
      await shown(status, '∙');
      await hub.stop();
      await shown(status, '~ offline');
    },
  );

  it('shows names of projects as they are, whatever they try', async () => {
    const home = temporaryFolder();
    const hub = await startCliHub({ home });
    await hub.announce({ codex: signalOf('Codex') });
    const { status } = await openTmux(home);
    for (const name of HOSTILE_NAMES.filter((each) => /[#%$\n|]/.test(each))) {
      await show(hub, name);
      const said = `! Codex ${nameText(name)}: permission 2 d`;
      await shown(status, said);
    }
  });
});
