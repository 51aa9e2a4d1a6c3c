import { describe, expect, it, vi } from 'vitest';
import { agentHome } from '../support/agent-home.ts';
import { openTerminal, type Terminal } from '../support/tmux.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 120_000 });

const CLAUDE = '.claude/settings.json';
const CODEX = '.codex/hooks.json';

async function asked(terminal: Terminal, agent: string): Promise<void> {
  await terminal.waitFor((lines) => lines.some((line) => line === `Change this file for ${agent}? [y/N]`));
}

/** Waits for the shell's prompt. @returns exit status of the command before */
async function statusOf(terminal: Terminal): Promise<string | undefined> {
  await terminal.waitFor((lines) => lines.findLast((line) => line !== '') === 'ready$');
  await terminal.keys('e', 'c', 'h', 'o', ' ', '=', '$', '?', 'Enter');
  await terminal.waitFor((lines) => lines.some((line) => /^=\d+$/.test(line)));
  return (await terminal.screen()).find((line) => /^=\d+$/.test(line));
}

describe('hooks install in a terminal', () => {
  it('asks for each agent: y installs, n leaves it; uninstall asks too', async () => {
    const home = agentHome();
    home.put(CLAUDE, '{}\n');
    home.put(CODEX, '{}\n');
    const terminal = await openTerminal({ ...home.options, columns: 80, rows: 60 });
    await terminal.signalbox('hooks install');
    await asked(terminal, 'Claude');
    expect(home.read(CLAUDE)).toBe('{}\n');
    await terminal.keys('n', 'Enter');
    await asked(terminal, 'Codex');
    await terminal.keys('y', 'Enter');
    await terminal.waitFor((lines) => lines.some((line) => line.startsWith('No hub runs')));
    expect(await statusOf(terminal)).toBe('=0');
    expect(home.read(CLAUDE)).toBe('{}\n');
    expect(home.read(CODEX)).toContain('signalbox-hook');
    const lines = await terminal.screen();
    expect(lines).toContain('Codex: installed');

    await terminal.keys('c', 'l', 'e', 'a', 'r', 'Enter');
    await terminal.signalbox('hooks uninstall');
    await asked(terminal, 'Codex');
    await terminal.keys('Enter');
    await terminal.waitFor((screen) => screen.includes('Codex: left as it is'));
    expect(home.read(CODEX)).toContain('signalbox-hook');
  });

  it.each([
    ['Ctrl-C', 'C-c'],
    ['Ctrl-D', 'C-d'],
  ])('%s at the question leaves everything and asks no further', async (_name, key) => {
    const home = agentHome();
    home.put(CLAUDE, '{}\n');
    home.put(CODEX, '{}\n');
    const terminal = await openTerminal({ ...home.options, columns: 80, rows: 40 });
    await terminal.signalbox('hooks install');
    await asked(terminal, 'Claude');
    await terminal.keys(key);
    expect(await statusOf(terminal)).toBe('=1');
    expect((await terminal.screen()).filter((line) => line.startsWith('Change this file'))).toHaveLength(1);
    expect(await terminal.screen()).toContain('Claude: left as it is');
    expect([home.read(CLAUDE), home.read(CODEX)]).toEqual(['{}\n', '{}\n']);
  });
});
