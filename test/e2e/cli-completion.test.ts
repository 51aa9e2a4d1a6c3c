import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FORMAT_NAMES } from '../../cli/status/format.ts';
import { sessionOf, signalOf, startCliHub } from '../support/cli-hub.ts';
import { cliEnvironment, PROGRAM, runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openTerminal, type Terminal } from '../support/tmux.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 120_000 });

const execute = promisify(execFile);

const WAITS = {
  provider: 'codex',
  project: 'backlog-runner',
  state: 'needs_user',
  reason: 'permission_request',
} as const;

let home: string;
let env: Record<string, string>;

/** A folder in PATH with the program under its name, as an installation has it. */
beforeEach(() => {
  home = temporaryFolder();
  const bin = join(home, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'signalbox'), `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`, {
    mode: 0o755,
  });
  // zsh and fish write their caches and histories below.
  env = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home };
});

async function startHub(): Promise<void> {
  const hub = await startCliHub({ home });
  await hub.publish('session', { provider: 'codex', key: 'b7c8d9e0f1a2' }, sessionOf('b7c8d9e0f1a2', WAITS));
  await hub.publish('session', { provider: 'claude', key: 'a1b2c3d4e5f6' }, sessionOf('a1b2c3d4e5f6'));
  await hub.announce({ claude: signalOf('Claude'), codex: signalOf('Codex') });
}

/** What the program answers its scripts: words alone. */
async function asked(...words: string[]): Promise<string[]> {
  const { status, stdout } = await runCli(['__complete', '--', ...words], { home });
  expect(status).toBe(0);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t')[0] ?? '');
}

describe('what is completed', () => {
  it.each<[string[], string[]]>([
    [['st'], ['status', 'stats']],
    [['help', 'ses'], ['sessions']],
    [
      ['status', '--fo'],
      ['--follow', '--format'],
    ],
    [['status', '-f', '--fo'], ['--format']],
    [['status', '--format', ''], [...FORMAT_NAMES]],
    [['status', '--format=j'], ['--format=json']],
    // As bash splits it.
    [['status', '--format', '=', 'j'], ['json']],
    [['status', '--format', '='], [...FORMAT_NAMES]],
    [['explain', '--provider', 'cla'], ['claude']],
    [['explain', '--provider=clau'], ['--provider=claude']],
    [['hook', 'codex'], ['codex']],
    [
      ['signal', 'perm'],
      ['permission', 'permission_request'],
    ],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['replay', ''], [':file']],
    [['status', '--config', ''], [':file']],
    [['signal', 'done', '--cwd', ''], [':folder']],
    // Nothing fits, nothing is known, or there is nothing more.
    [['xyzzy', ''], []],
    [['status', '--nonsense='], []],
    [['config', 'more'], []],
    [['explain', '--', '--pro'], []],
    [['up', '--port', ''], []],
    [['__'], []],
  ])('%j: %j', async (words, found) => {
    expect(await asked(...words)).toEqual(found);
  });

  it('names every command that the help names, and what it does', async () => {
    const { stdout } = await runCli(['__complete', '--', ''], { home });
    const help = (await runCli(['help'], { home })).stdout;
    const named = [...(help.split('Examples:')[0] ?? '').matchAll(/^ {2}([a-z]+) .* {2}(\S.*)$/gm)];
    expect(named.length).toBeGreaterThan(5);
    for (const [, name, about] of named) expect(stdout).toContain(`${name}\t${about}`);
  });

  it('names agents that the settings add', async () => {
    writeFileSync(join(home, 'config.toml'), '[providers.aider]\nname = "Aider"\n');
    expect(await asked('hook', 'ai')).toEqual(['aider']);
  });

  it('says nothing where settings are wrong or no hub runs', async () => {
    expect(await asked('explain', '')).toEqual([]);
    writeFileSync(join(home, 'config.toml'), 'nonsense = 1\n');
    for (const words of [
      ['explain', ''],
      ['hook', ''],
    ]) {
      const { status, stdout, stderr } = await runCli(['__complete', '--', ...words], { home });
      expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
    }
  });

  it('names the sessions of the running hub by their keys, those that wait first', async () => {
    await startHub();
    const { stdout } = await runCli(['__complete', '--', 'explain', ''], { home });
    expect(stdout).toBe('b7c8\tCodex backlog-runner, waiting\na1b2\tClaude web-shop, idle\n');
    expect(await asked('explain', 'a')).toEqual(['a1b2']);
  });

  it('hides what only shells ask for', async () => {
    expect((await runCli(['help'], { home })).stdout).not.toContain('__complete');
    expect((await runCli(['complet'], { home })).stderr).toContain('Did you mean "completion"?');
  });
});

describe('the scripts', () => {
  it.each(['bash', 'zsh', 'fish'])('for %s: it reads it without a complaint', async (shell) => {
    const { stdout } = await runCli(['completion', shell], { home });
    const script = join(home, 'script');
    writeFileSync(script, stdout);
    const { stderr } = await execute(shell, ['-n', script], { env: cliEnvironment({ home, env }) });
    expect(stderr).toBe('');
  });

  it('name the shells there are for one that is not', async () => {
    const { status, stderr } = await runCli(['completion', 'tcsh'], { home });
    expect(stderr).toContain('bash, zsh, fish');
    expect(status).toBe(2);
  });

  /** What stands on the last line that has something on it. */
  const line = (lines: readonly string[]): string => lines.findLast((each) => each !== '') ?? '';

  async function typeInto(terminal: Terminal, prompt: string): Promise<void> {
    const complete = async (typed: string, completed: string): Promise<void> => {
      await terminal.keys('-l', typed);
      await terminal.waitFor((lines) => line(lines) === `${prompt}${typed}`.trimEnd());
      await terminal.keys('Tab');
      await terminal.waitFor((lines) => line(lines) === `${prompt}${completed}`);
      await terminal.keys('C-u');
      await terminal.waitFor((lines) => line(lines) === prompt.trimEnd());
    };
    writeFileSync(join(home, 'tape of today.jsonl'), '');
    mkdirSync(join(home, 'projects'));
    await complete('signalbox expl', 'signalbox explain');
    await complete('signalbox status --js', 'signalbox status --json');
    await complete('signalbox status --format=j', 'signalbox status --format=json');
    await complete('signalbox hook clau', 'signalbox hook claude');
    await complete('signalbox explain b', 'signalbox explain b7c8');
    await complete('signalbox replay tape', 'signalbox replay tape\\ of\\ today.jsonl');
    await complete('signalbox signal done --cwd proj', 'signalbox signal done --cwd projects/');
  }

  it('complete in bash', async () => {
    await startHub();
    const terminal = await openTerminal({ home, env });
    await terminal.keys('-l', 'cd; eval "$(signalbox completion bash)"; clear; PS1="bash: "');
    await terminal.keys('Enter');
    await terminal.waitFor((lines) => line(lines) === 'bash:');
    await typeInto(terminal, 'bash: ');
  });

  it('complete in zsh', async () => {
    await startHub();
    const terminal = await openTerminal({ home, env });
    await terminal.keys('-l', 'cd; PS1="zsh: " exec zsh -f');
    await terminal.keys('Enter');
    const set =
      "autoload -U compinit; compinit -D -u; source <(signalbox completion zsh); clear; PS1='zsh: '";
    await terminal.waitFor((lines) => line(lines) === 'zsh:');
    await terminal.keys('-l', set);
    await terminal.keys('Enter');
    await terminal.waitFor((lines) => lines[0] === 'zsh:' && line(lines) === 'zsh:');
    await typeInto(terminal, 'zsh: ');
  });

  it('complete in fish, with what each word means', async () => {
    await startHub();
    mkdirSync(join(home, 'projects'));
    writeFileSync(join(home, 'tape.jsonl'), '');
    const complete = async (typed: string): Promise<string[]> => {
      const script = `cd "$HOME"; signalbox completion fish | source; complete -C '${typed}'`;
      const { stdout, stderr } = await execute('fish', ['--no-config', '-c', script], {
        env: cliEnvironment({ home, env }),
      });
      expect(stderr).toBe('');
      return stdout.split('\n').filter((each) => each !== '');
    };
    expect(await complete('signalbox expl')).toEqual(['explain\twhy a session is what it is']);
    expect((await complete('signalbox ')).map((each) => each.split('\t')[0])).toContain('status');
    expect(await complete('signalbox status --js')).toEqual(['--json\tshort for --format json']);
    expect(await complete('signalbox status --format=j')).toEqual(['--format=json']);
    expect(await complete('signalbox explain b')).toEqual(['b7c8\tCodex backlog-runner, waiting']);
    expect((await complete('signalbox replay ta')).map((each) => each.split('\t')[0])).toEqual([
      'tape.jsonl',
    ]);
    expect((await complete('signalbox signal done --cwd pro')).map((each) => each.split('\t')[0])).toEqual([
      'projects/',
    ]);
  });
});
