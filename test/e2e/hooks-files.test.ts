import { chmodSync, lstatSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { agentHome } from '../support/agent-home.ts';
import { AS_USER } from '../support/hub.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 120_000 });

const CLAUDE = '.claude/settings.json';
const CODEX = '.codex/hooks.json';
const GEMINI = '.gemini/settings.json';

describe('a file that its agent would refuse', () => {
  it.each<[string, string | Uint8Array, string, string]>([
    ['a comma too many', '{\n  "a": 1,\n}\n', 'line 3, column 1', 'property name expected'],
    ['a comment in strict JSON', '{\n  // mine\n}', 'line 2, column 3', 'comment'],
    ['cut off', '{"hooks": {"Stop": [', 'line 1, column 21', 'expected'],
    ['no object', '[]', 'line 1, column 1', 'not an object'],
    ['hooks that are a list', '{"hooks": []}', 'line 1, column 11', 'not an object'],
    ['not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'line 1, column 1', 'not UTF-8'],
  ])('%s: named with line and column, left as it is; the others go on', async (_what, text, at, why) => {
    const home = agentHome();
    const path = home.put(CLAUDE, text);
    home.put(CODEX, '{}');
    const before = home.read(CLAUDE);
    const { status, stdout, stderr } = await home.cli(['hooks', 'install', '--yes']);
    expect(status).toBe(1);
    expect(stderr).toContain(path);
    expect(stderr).toContain(at);
    expect(stderr.toLowerCase()).toContain(why.toLowerCase());
    expect(stdout).toContain('Codex: installed');
    expect(home.read(CLAUDE)).toBe(before);
    expect(readdirSync(dirname(path))).toEqual(['settings.json']);
    const told = await home.cli(['hooks', 'status']);
    expect([told.status, told.stdout.replace(/\s+/g, ' ')]).toEqual([0, expect.stringContaining(at)]);
    expect((await home.cli(['hooks', 'uninstall', '--yes'])).status).toBe(1);
    expect([home.read(CLAUDE), home.read(CODEX)]).toEqual([before, '{}']);
  });
});

/** Windows' line ends, a byte order mark, tabs, another's hooks and an older version's of ours. */
const ODD = `\uFEFF{\r
\t"hooks": {\r
\t\t"Stop": [\r
\t\t\t{ "hooks": [ { "type": "command", "command": "/opt/x/bin/signalbox-hook claude --old" } ] },\r
\t\t\t{ "matcher": "", "hooks": [ { "type": "command", "command": "say done" } ] }\r
\t\t]\r
\t},\r
\t"zeta": [1,2]\r
}\r
`;

const COMMENTED = '// mine\n{\n  "theme": "dark", /* at night */\n  "hooks": {\n    // nothing yet\n  }\n}\n';

describe('an odd file', () => {
  it('keeps line ends, mark, tabs and what is of others; an older hook of ours is replaced', async () => {
    const home = agentHome();
    home.put(CLAUDE, ODD);
    expect((await home.cli(['hooks', 'status'])).stdout).toContain('to be brought up to date');
    const { status, stdout } = await home.cli(['hooks', 'install', '--yes']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/-\s+\{ "hooks": .*--old/);
    const installed = home.read(CLAUDE);
    expect(installed).not.toContain('--old');
    expect(installed.startsWith('\uFEFF')).toBe(true);
    expect(installed.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(installed).toContain('"command": "say done"');
    await home.cli(['hooks', 'uninstall', '--yes']);
    const kept = ODD.split('\r\n').filter((line) => !line.includes('--old'));
    expect(home.read(CLAUDE).split('\r\n')).toEqual(kept);
  });

  it("keeps the comments of Gemini's", async () => {
    const home = agentHome();
    home.put(GEMINI, COMMENTED);
    expect((await home.cli(['hooks', 'install', '--yes'])).status).toBe(0);
    for (const comment of ['// mine', '/* at night */', '// nothing yet'])
      expect(home.read(GEMINI)).toContain(comment);
    await home.cli(['hooks', 'uninstall', '--yes']);
    expect(home.read(GEMINI)).toBe(COMMENTED);
  });

  it('of ours, in which somebody has put a comment since, stays', async () => {
    const home = agentHome();
    mkdirSync(join(home.path, '.gemini'));
    await home.cli(['hooks', 'install', '--yes']);
    home.put(GEMINI, `// mine\n${home.read(GEMINI)}`);
    const { status, stderr } = await home.cli(['hooks', 'uninstall', '--yes']);
    expect([status, stderr]).toEqual([0, '']);
    expect(home.read(GEMINI)).toMatch(/^\/\/ mine\n\{\s*\}\n$/);
  });

  it.each(['', '\n', '\uFEFF'])('that is empty (%j) is given back', async (text) => {
    const home = agentHome();
    home.put(CODEX, text);
    expect((await home.cli(['hooks', 'install', '--yes'])).status).toBe(0);
    expect((await home.cli(['hooks', 'status'])).stdout).toContain('installed, 12 events');
    await home.cli(['hooks', 'uninstall', '--yes']);
    expect(home.read(CODEX)).toBe(text);
  });
});

describe('a settings file that is a link', () => {
  it('stays a link, and its file is written', async () => {
    const home = agentHome();
    const target = home.put('dotfiles/claude.json', '{}\n');
    mkdirSync(join(home.path, '.claude'));
    symlinkSync(target, join(home.path, CLAUDE));
    await home.cli(['hooks', 'install', '--yes']);
    expect(lstatSync(join(home.path, CLAUDE)).isSymbolicLink()).toBe(true);
    expect(home.read('dotfiles/claude.json')).toContain('signalbox-hook');
    await home.cli(['hooks', 'uninstall', '--yes']);
    expect([readlinkSync(join(home.path, CLAUDE)), home.read(CLAUDE)]).toEqual([target, '{}\n']);
  });

  it('to a file that is not there yet makes that file, and takes it away again', async () => {
    const home = agentHome();
    mkdirSync(join(home.path, 'dotfiles'));
    mkdirSync(join(home.path, '.claude'));
    symlinkSync('../dotfiles/claude.json', join(home.path, CLAUDE));
    await home.cli(['hooks', 'install', '--yes']);
    expect(home.read('dotfiles/claude.json')).toContain('signalbox-hook');
    await home.cli(['hooks', 'uninstall', '--yes']);
    expect(readlinkSync(join(home.path, CLAUDE))).toBe('../dotfiles/claude.json');
    expect(home.has('dotfiles/claude.json')).toBe(false);
  });
});

describe('a disk that does not take it', () => {
  it('a folder in which nothing can be written: the file stays, the others go on', async () => {
    const home = agentHome();
    home.put(CLAUDE, '{}');
    home.put(CODEX, '{}');
    chmodSync(join(home.path, '.claude'), 0o500);
    const { status, stdout, stderr } = await home.cli(['hooks', 'install', '--yes'], { under: AS_USER });
    expect([status, stdout]).toEqual([1, expect.stringContaining('Codex: installed')]);
    expect(stderr).toContain(`${CLAUDE} can't be read or written: permission denied.`);
    expect(home.read(CLAUDE)).toBe('{}');
    chmodSync(join(home.path, '.claude'), 0o700);
  });

  it('that is full in the middle of the file: it is left whole, as it was, and no draft beside it', async () => {
    const home = agentHome();
    await home.cli(['hooks', 'sender', '--install']);
    home.put(CLAUDE, '{}');
    // As on a full disk, a part of what is written is taken, and then no more.
    const under = ['bash', '-c', `trap '' XFSZ; ulimit -f 2; exec "$@"`, 'bash'];
    const { status, stderr } = await home.cli(['hooks', 'install', '--yes'], { under });
    expect([status, stderr]).toEqual([1, expect.stringContaining('no file may grow so large')]);
    expect(home.read(CLAUDE)).toBe('{}');
    expect(readdirSync(join(home.path, '.claude'))).toEqual(['settings.json']);
    // And when there is room again, it is as if nothing had been.
    expect((await home.cli(['hooks', 'install', '--yes'])).status).toBe(0);
    await home.cli(['hooks', 'uninstall', '--yes']);
    expect(home.read(CLAUDE)).toBe('{}');
  });
});
