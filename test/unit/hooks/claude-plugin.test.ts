import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { claude } from '../../../hooks/installers/agents/claude.ts';
import { resolvePaths } from '../../../runtime/paths.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../../../hooks/plugin/', import.meta.url));
const FORWARD = join(ROOT, 'signalbox/hooks/forward.sh');
const read = (name: string): unknown => JSON.parse(readFileSync(join(ROOT, name), 'utf8'));

interface Marketplace {
  readonly name: string;
  readonly owner: { readonly name: string };
  readonly plugins: readonly { readonly name: string; readonly source: string }[];
}

interface HooksFile {
  readonly hooks: Readonly<
    Record<string, readonly { readonly hooks: readonly { readonly args: string[] }[] }[]>
  >;
}

describe("Claude Code's plugin", () => {
  it('is where its marketplace says, by the same name', () => {
    const { name, owner, plugins } = read('.claude-plugin/marketplace.json') as Marketplace;
    expect([name, owner.name, plugins.length]).toEqual(['signalbox', 'Signalbox', 1]);
    const { source = '', name: listed } = plugins[0] ?? {};
    expect(source).toMatch(/^\.\//);
    expect(read(join(source, '.claude-plugin/plugin.json'))).toMatchObject({ name: listed });
  });

  it('runs a script that it has, for every event of the installer', () => {
    const { hooks } = read('signalbox/hooks/hooks.json') as HooksFile;
    expect(Object.keys(hooks)).toEqual(
      claude.hooks({ program: ['x'], platform: 'linux' }, '99.0.0').map(({ event }) => event),
    );
    const handlers = Object.values(hooks).flatMap((groups) => groups.flatMap((group) => group.hooks));
    for (const { args } of handlers) {
      expect(args).toEqual([expect.stringContaining('CLAUDE_PLUGIN_ROOT'), 'claude']);
      expect(existsSync((args[0] ?? '').replace(/^\$\{CLAUDE_PLUGIN_ROOT\}/, join(ROOT, 'signalbox')))).toBe(
        true,
      );
    }
  });

  it('has nothing in its script that shellcheck objects to', () => {
    const { status, stdout } = spawnSync('shellcheck', [FORWARD], { encoding: 'utf8' });
    expect([stdout, status]).toEqual(['', 0]);
  });
});

describe('its script', () => {
  const home = '/home of me';
  const places = [
    ['Linux', 'linux', {}],
    ['Linux, another folder for data', 'linux', { XDG_DATA_HOME: '/data "of" me' }],
    ['Linux, a folder that counts for nothing', 'linux', { XDG_DATA_HOME: 'relative' }],
    ['macOS', 'darwin', {}],
    ['anywhere, all in one folder', 'linux', { SIGNALBOX_HOME: '/own $(folder)' }],
  ] as const;

  /** Runs it with folders below one of the test's. */
  function run(root: string, env: Readonly<Record<string, string | undefined>>) {
    const below = Object.entries(env).map(([name, value]) => [name, value?.replace(/^\//, `${root}/`)]);
    const { stdout, stderr, status } = spawnSync('sh', [FORWARD, 'claude'], {
      input: '{"a":1}',
      encoding: 'utf8',
      cwd: root,
      env: { PATH: process.env['PATH'], HOME: root + home, ...Object.fromEntries(below) },
    });
    return { stdout, stderr, status };
  }

  it.each(places)('becomes the sender of %s', (_, platform, env) => {
    const root = temporaryFolder();
    const sender = join(root, resolvePaths({ env, platform, home }).data, 'bin/signalbox-hook');
    mkdirSync(dirname(sender), { recursive: true });
    writeFileSync(sender, '#!/bin/sh\nprintf "%s %s " "$0" "$*"; cat; printf " %s" "$PPID"\n');
    chmodSync(sender, 0o755);
    // Its parent is who has run the script: the agent's process is known by that.
    expect(run(root, env)).toEqual({
      stdout: `${sender} claude {"a":1} ${process.pid}`,
      stderr: '',
      status: 0,
    });
    chmodSync(sender, 0o644);
    expect(run(root, env)).toEqual({ stdout: '', stderr: '', status: 0 });
  });

  it('ends well where there is no sender, or no home', () => {
    const nothing = { stdout: '', stderr: '', status: 0 };
    const root = temporaryFolder();
    expect(run(root, {})).toEqual(nothing);
    expect(run(root, { HOME: undefined })).toEqual(nothing);
    expect(run(root, { SIGNALBOX_HOME: '/nowhere' })).toEqual(nothing);
  });
});
