import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { replayFile } from '../../cli/replay/run-replay.ts';
import { runCli } from '../support/run-cli.ts';
import { loadedSources } from '../support/shipped-modules.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 60_000 });

const RECORDINGS = new URL('../fixtures/recordings/', import.meta.url);
const recording = (name: string) => fileURLToPath(new URL(name, RECORDINGS));

describe('signalbox replay', () => {
  it.each([
    ['claude-code-2.1.332/perm_esc.jsonl', {}, true],
    ['claude-code-2.1.332/perm_esc.jsonl', { SIGNALBOX_REPLAY_SOURCES: 'all' }, true],
    ['claude-code-2.1.332/perm_esc.jsonl', { SIGNALBOX_REPLAY_SOURCES: 'hooks' }, false],
    ['codex-0.171.0/err_eusage.jsonl', {}, true],
    ['codex-0.171.0/err_eusage.jsonl', { SIGNALBOX_REPLAY_SOURCES: 'hooks' }, false],
  ] as const)('%s %j: one change a line, as the rules say', async (name, env, sources) => {
    const result = await runCli(['replay', recording(name)], { home: temporaryFolder(), env });
    expect([result.status, result.stderr]).toEqual([0, '']);
    const told = result.stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as object);
    expect(told).toEqual(replayFile(recording(name), sources).changes);
    expect(told.length).toBeGreaterThan(2);
    for (const change of told)
      expect(Object.keys(change)).toEqual(['t_ms', 'session_id', 'state', 'reason', 'lamp']);
  });

  it('the second sources tell what hooks can’t', () => {
    const ends = (name: string, sources: boolean) =>
      replayFile(recording(name), sources).changes.map(({ state, reason }) => `${state} ${reason}`);
    expect(ends('claude-code-2.1.332/perm_esc.jsonl', true)).toContain('idle interrupted');
    expect(ends('claude-code-2.1.332/perm_esc.jsonl', false)).not.toContain('idle interrupted');
    expect(ends('codex-0.171.0/err_eusage.jsonl', true)).toContain('error usage_limit_exceeded');
    expect(ends('codex-0.171.0/err_eusage.jsonl', false).join()).not.toContain('error');
  });

  it('a path is meant from where the user stands, and a recording may be cut off', async () => {
    const home = temporaryFolder();
    const whole = readFileSync(recording('claude-code-2.1.332/perm_esc.jsonl'), 'utf8');
    writeFileSync(join(home, 'mine.jsonl'), whole.slice(0, whole.length / 2));
    const { status, stdout, stderr } = await runCli(['replay', 'mine.jsonl'], { home });
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('"state":"running"');
  });

  it.each([
    ['no-such-file.jsonl', 'ENOENT'],
    ['.', 'EISDIR'],
  ])('%s can’t be read: exit 1 with the reason', async (path, reason) => {
    const { status, stdout, stderr } = await runCli(['replay', path], { home: temporaryFolder() });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`can't be read: ${reason}`);
    expect(stderr).toContain('Check its path and mode.');
  });

  it('needs a file', async () => {
    const { status } = await runCli(['replay'], { home: temporaryFolder() });
    expect(status).not.toBe(0);
  });

  it('loads neither schema library nor MQTT, SQLite or log: it is run a hundred times in a row', async () => {
    const replayed = await loadedSources(['replay', recording('claude-code-2.1.332/perm_esc.jsonl')]);
    expect(replayed.status).toBe(0);
    const { own, packages } = replayed;
    expect(packages).toEqual(['commander']);
    expect(own.filter((path) => !/^(?:cli|protocol|runtime)\//.test(path))).toEqual([]);
    // Nor does it read the settings: it depends on its file alone.
    expect(own.filter((path) => /config\/(?:load|schema)/.test(path))).toEqual([]);
    expect(own).toContain('protocol/table.ts');
  });
});
