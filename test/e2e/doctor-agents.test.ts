import { chmodSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { Found } from '../../cli/doctor/check.ts';
import { type AgentHome, agentHome, claudeOf } from '../support/agent-home.ts';
import { diagnose, diagnoseAsText, type Diagnosis } from '../support/doctor.ts';
import { runSender, SILENT } from '../support/sender.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 120_000 });

const CLAUDE = '.claude/settings.json';
const CODEX = '.codex/hooks.json';
const SENDER = '.local/share/signalbox/bin/signalbox-hook';

const of = ({ findings }: Diagnosis, check: string): readonly Found[] =>
  findings.filter((each) => each.check === check);
const codes = (diagnosis: Diagnosis, check: string): string[] => of(diagnosis, check).map(({ code }) => code);

/** A home folder with Claude Code and our hooks in it. */
async function withClaude(): Promise<AgentHome> {
  const home = agentHome();
  home.program('claude', claudeOf('2.1.332'));
  home.put(CLAUDE, '{}');
  await home.cli(['hooks', 'install', 'claude', '--yes']);
  return home;
}

/** What an agent's hook sends, through the sender that is installed. */
async function send(home: AgentHome, provider: string, hook: object): Promise<void> {
  const by = [join(home.path, SENDER)];
  const input = { session_id: 's', cwd: '/srv/shop', ...hook };
  const { stdout: _, ...ending } = await runSender([provider], { home: home.data, by, input });
  expect({ ...ending, stdout: '' }).toEqual(SILENT);
}

describe("doctor on agents' hooks", () => {
  it('says that they are missing, then silent, then what has fired and what never has', async () => {
    const home = agentHome();
    home.program('claude', claudeOf('2.1.332'));
    home.put(CLAUDE, '{}');
    const hub = await home.hub();
    const missing = await diagnose(home.options);
    expect(missing.of('agents')).toMatchObject({
      code: 'hooks_missing',
      mend: 'Install them: signalbox hooks install claude',
    });
    expect([missing.status, codes(missing, 'sender')]).toEqual([0, []]);

    await home.cli(['hooks', 'install', '--yes']);
    const silent = await diagnose(home.options);
    expect([codes(silent, 'agents'), codes(silent, 'sender')]).toEqual([['hooks_silent'], ['ok']]);
    expect(codes(silent, 'events')).toEqual(['no_events']);

    await send(home, 'claude', { hook_event_name: 'Stop' });
    const fired = await diagnose(home.options);
    expect(fired.wrong).toEqual([]);
    expect(fired.of('agents')?.message).toMatch(
      /^Claude 2\.1\.332: 20 hooks, the last event .*never fired: /,
    );
    expect(fired.of('agents')?.data).toMatchObject({ version: '2.1.332', fired: ['Stop'] });
    await diagnoseAsText(home.options, fired);
    // Known also when no hub runs.
    await hub.end('SIGKILL');
    expect((await diagnose(home.options)).of('agents')?.code).toBe('ok');
  });

  it('misses no hooks of agents that nobody uses', async () => {
    const home = agentHome();
    const old = new Date(Date.now() - 45 * 24 * 3_600_000);
    const files = ['.gemini/settings.json', '.gemini/tmp/abc/logs.json', '.config/opencode/opencode.json'];
    for (const file of files) home.put(file, '{}');
    for (const name of [...files, '.gemini/tmp/abc', '.gemini/tmp', '.gemini', '.config/opencode'])
      utimesSync(join(home.path, name), old, old);
    const left = await diagnose(home.options);
    expect(of(left, 'agents').map(({ level, message }) => [level, message])).toEqual([
      ['ok', 'Gemini: no hooks, and nothing of it has changed for 45 days'],
      ['ok', 'OpenCode: no hooks, and nothing of it has changed for 45 days'],
    ]);
    // What each writes while it is used.
    utimesSync(join(home.path, '.gemini/tmp/abc'), new Date(), new Date());
    home.put('.local/share/opencode/log/today.log', '');
    expect(codes(await diagnose(home.options), 'agents')).toEqual(['hooks_missing', 'hooks_missing']);
  });

  it('hears of an agent that has hooks of another make', async () => {
    const home = agentHome();
    home.put(
      CLAUDE,
      '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"mqtt pub -t hook/claude -s"}]}]}}',
    );
    const hub = await home.hub();
    await home.cli(['hooks', 'sender', '--install']);
    await send(home, 'claude', { hook_event_name: 'Stop' });
    const diagnosis = await diagnose({ ...home.options, home: hub.home });
    expect(diagnosis.of('agents')).toMatchObject({
      level: 'ok',
      message: expect.stringContaining('without hooks of ours'),
    });
  });

  it('names hooks that are outdated, those that Codex skips, and files that nobody understands', async () => {
    const home = agentHome();
    await home.cli(['hooks', 'install', 'codex', 'gemini', '--yes']);
    home.put('.gemini/settings.json', home.read('.gemini/settings.json').replace('5000', '50'));
    home.put(CLAUDE, '{\n  "a": 1,\n}');
    const diagnosis = await diagnose(home.options);
    const told = new Map(of(diagnosis, 'agents').map((found) => [found.code, found]));
    expect([...told.keys()]).toEqual([
      'settings_unreadable',
      'hooks_untrusted',
      'hooks_outdated',
      'hooks_silent',
    ]);
    expect(told.get('settings_unreadable')?.message).toContain('line 3, column 1');
    expect(told.get('hooks_untrusted')?.message).toMatch(/^Codex skips 12 of its hooks/);
    expect(told.get('hooks_untrusted')?.mend).toContain('Trust all');
    expect(told.get('hooks_outdated')?.mend).toContain('signalbox hooks install gemini');
    await diagnoseAsText(home.options, diagnosis);

    const events = [
      'session_start',
      'user_prompt_submit',
      'pre_tool_use',
      'permission_request',
      'post_tool_use',
    ];
    const rest = [
      'pre_compact',
      'post_compact',
      'subagent_start',
      'subagent_stop',
      'stop',
      'session_end',
      'interrupt',
    ];
    const tables = [...events, ...rest].map(
      (event) => `[hooks.state."${join(home.path, CODEX)}:${event}:0:0"]\ntrusted_hash = "sha256:00"\n`,
    );
    home.put('.codex/config.toml', tables.join('\n'));
    expect(codes(await diagnose(home.options), 'agents')).not.toContain('hooks_untrusted');
  });

  it('says what is left out since the version is not known', async () => {
    const home = agentHome();
    await home.cli(['hooks', 'install', 'claude', '--yes']);
    const diagnosis = await diagnose(home.options);
    expect(codes(diagnosis, 'agents')).toEqual(['hooks_left_out', 'hooks_silent']);
    expect(of(diagnosis, 'agents')[0]?.mend).toContain('Put "claude" on PATH');
    expect((await home.cli(['hooks', 'status'])).stdout).toContain('left out');
  });
});

describe('doctor on the sender', () => {
  it('is broken without the one that agents run, and knows one that was changed', async () => {
    const home = await withClaude();
    const path = join(home.path, SENDER);
    chmodSync(path, 0o644);
    expect(codes(await diagnose(home.options), 'sender')).toEqual(['sender_outdated']);
    rmSync(path);
    const { status, of: worst } = await diagnose(home.options);
    expect([status, worst('sender')?.code]).toEqual([1, 'sender_missing']);
    expect(worst('sender')?.mend).toContain('signalbox hooks sender --install');
    await home.cli(['hooks', 'sender', '--install']);
    expect(codes(await diagnose(home.options), 'sender')).toEqual(['ok']);
  });

  it('finds copies of settings that others may read', async () => {
    const home = await withClaude();
    const copy = join(home.data, 'installed', 'claude.json');
    expect((await diagnose(home.options)).of('modes')?.level).toBe('ok');
    chmodSync(copy, 0o644);
    expect((await diagnose(home.options)).of('modes')).toMatchObject({
      code: 'open_modes',
      mend: `chmod 600 ${copy}`,
    });
  });
});

describe('doctor on hooks that run twice', () => {
  const withPlugin = (home: AgentHome, on: unknown, file = CLAUDE): void => {
    const settings = home.has(file) ? (JSON.parse(home.read(file)) as object) : {};
    home.put(
      file,
      JSON.stringify({ ...settings, enabledPlugins: { 'signalbox@tools': on, 'other@tools': true } }),
    );
  };
  const project = (home: AgentHome, name: string): string =>
    join(home.data, '.claude', name).slice(home.path.length + 1);

  it.each([
    ['in the settings', (home: AgentHome) => withPlugin(home, true)],
    ["in the project's", (home: AgentHome) => withPlugin(home, true, project(home, 'settings.json'))],
    [
      "in the user's for the project",
      (home: AgentHome) => withPlugin(home, true, project(home, 'settings.local.json')),
    ],
  ])('the plugin, switched on %s, and our hooks', async (_where, put) => {
    const home = await withClaude();
    expect(codes(await diagnose(home.options), 'doubled')).toEqual([]);
    put(home);
    const diagnosis = await diagnose(home.options);
    expect(of(diagnosis, 'doubled')).toMatchObject([
      { code: 'hooks_doubled', mend: expect.stringContaining('signalbox hooks uninstall claude') },
    ]);
    expect(of(diagnosis, 'doubled')[0]?.message).toContain('signalbox@tools');
    await diagnoseAsText(home.options, diagnosis);
    await home.cli(['hooks', 'uninstall', 'claude', '--yes']);
    const alone = await diagnose(home.options);
    expect([codes(alone, 'doubled'), alone.of('agents')?.message]).toEqual([[], 'Claude: by its plugin']);
  });

  it('not a plugin that is switched off, there or by the project', async () => {
    const home = await withClaude();
    withPlugin(home, false);
    expect(codes(await diagnose(home.options), 'doubled')).toEqual([]);
    withPlugin(home, true);
    withPlugin(home, false, project(home, 'settings.json'));
    expect(codes(await diagnose(home.options), 'doubled')).toEqual([]);
  });

  it('not a plugin that is switched on and not installed', async () => {
    const home = await withClaude();
    withPlugin(home, true);
    const list = '.claude/plugins/installed_plugins.json';
    home.put(list, '{"version":2,"plugins":{"other@tools":[{"scope":"user"}]}}');
    expect(codes(await diagnose(home.options), 'doubled')).toEqual([]);
    // A list of another make says nothing.
    for (const text of [
      '{"version":2,"plugins":{"signalbox@tools":[{"scope":"user"}]}}',
      '{"version":9}',
      '{',
    ]) {
      home.put(list, text);
      expect(codes(await diagnose(home.options), 'doubled')).toEqual(['hooks_doubled']);
    }
  });

  it('the plugin keeps the sender that it runs, and is told of where that is missing', async () => {
    const home = await withClaude();
    withPlugin(home, true);
    const { stdout } = await home.cli(['hooks', 'uninstall', 'claude', '--yes']);
    expect(stdout).toContain("The sender stays: Claude's plugin signalbox@tools runs it.");
    expect(codes(await diagnose(home.options), 'sender')).toEqual(['ok']);
    const dry = await home.cli(['uninstall', '--dry-run']);
    expect(dry.stdout).toContain('signalbox@tools stays in Claude');
    rmSync(join(home.path, SENDER));
    expect((await diagnose(home.options)).of('sender')?.code).toBe('sender_missing');
  });

  it("the project's settings in other words; the same words run once", async () => {
    const home = await withClaude();
    const file = project(home, 'settings.json');
    home.put(file, home.read(CLAUDE));
    expect(codes(await diagnose(home.options), 'doubled')).toEqual([]);
    home.put(file, home.read(CLAUDE).replaceAll('"timeout": 5', '"timeout": 7'));
    const diagnosis = await diagnose(home.options);
    expect(of(diagnosis, 'doubled')).toMatchObject([
      { code: 'hooks_doubled', mend: `Take ours out of ${join(home.path, file)}.` },
    ]);
  });
});

it('doctor counts what an agent sends that this version does not know', async () => {
  const home = await withClaude();
  await home.hub();
  const names = ['TeaBreak', 'TeaBreak', 'two words', 'ConfigChange', 'Stop'];
  for (const [index, hook_event_name] of names.entries())
    await send(home, 'claude', { hook_event_name, session_id: `s${index}` });
  const diagnosis = await diagnose(home.options);
  expect(of(diagnosis, 'unknown')).toMatchObject([
    {
      level: 'warning',
      code: 'unknown_events',
      data: { provider: 'claude', count: 3, names: ['TeaBreak', 'other'] },
    },
  ]);
  expect(diagnosis.of('unknown')?.message).toMatch(
    /^Claude sent 3 events that this version doesn't know in the .+ since the hub's start: TeaBreak, other\.$/,
  );
  expect(diagnosis.status).toBe(0);
});
