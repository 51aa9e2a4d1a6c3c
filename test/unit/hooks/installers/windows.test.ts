import { existsSync, readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AGENTS, SETTINGS_AGENTS } from '../../../../hooks/installers/agents.ts';
import { isOurs } from '../../../../hooks/installers/installer.ts';
import { SenderFiles } from '../../../../hooks/installers/sender-files.ts';
import {
  gitBashLine,
  posixLine,
  powershellLine,
  windowsLine,
} from '../../../../hooks/installers/shell-lines.ts';
import { installingMachine } from '../../../support/installing.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

// Paths and texts alone: no Windows was there to run them.

const NODE = 'C:\\Program Files\\nodejs\\node.exe';
const CJS = 'C:\\Users\\Jo Doe\\AppData\\Local\\signalbox\\bin\\signalbox-hook.cjs';
const SENDER = new SenderFiles('C:\\Users\\Jo Doe\\AppData\\Local\\signalbox', 'win32').command(NODE);
const LINE = `C:\\"Program Files\\nodejs\\node.exe" C:\\"Users\\Jo Doe\\AppData\\Local\\signalbox\\bin\\signalbox-hook.cjs"`;

describe('the sender on Windows (not run there)', () => {
  it('is Node with the bundled program', () => {
    expect(SENDER).toEqual({ platform: 'win32', program: [NODE, CJS] });
  });

  it.each([
    ['claude', { command: NODE, args: [CJS, 'claude'] }],
    ['codex', { command: `${LINE} codex`, commandWindows: `${LINE} codex` }],
    ['gemini', { command: `${LINE} gemini` }],
    ['qwen', { command: `${LINE} qwen` }],
    ['cursor', { command: `${LINE} cursor` }],
    ['copilot', { powershell: `& '${NODE}' '${CJS}' copilot sessionStart; exit 0` }],
    ['codebuddy', { command: `'${NODE}' '${CJS}' codebuddy`.replaceAll('\\', '/') }],
  ])('%s: as its shell takes it', (provider, expected) => {
    const agent = SETTINGS_AGENTS.find((each) => each.provider === provider);
    const hooks = agent?.hooks(SENDER, '99.0.0') ?? [];
    expect(hooks[0]?.handler).toMatchObject(expected);
    expect(hooks[0]?.handler).not.toHaveProperty('bash');
    for (const { handler } of hooks) expect(isOurs(handler)).toBe(true);
  });

  it.each(AGENTS)('$provider: goes in once, and is gone again', (agent) => {
    const { install, uninstall, fileOf, read, installer } = installingMachine(
      temporaryFolder(),
      SENDER.program,
      undefined,
      'win32',
    );
    install(agent);
    const once = read(agent);
    install(agent);
    expect(read(agent)).toBe(once);
    expect(installer.installed(agent)).toEqual(installer.wanted(agent, '2.1.332'));
    uninstall(agent);
    expect(existsSync(fileOf(agent))).toBe(false);
  });

  it('is installed alone, found outdated when it differs, and taken away', () => {
    const files = new SenderFiles(`${temporaryFolder()}/data`, 'win32');
    const source = { script: '#!/bin/sh\n', program: '1;\n', node: NODE };
    expect(files.state(source)).toBe('missing');
    expect([files.install(source), files.install(source)]).toEqual([true, false]);
    expect(readFileSync(files.path, 'utf8')).toBe('1;\n');
    expect(files.state({ ...source, script: '#!/bin/bash\n', node: 'D:\\node.exe' })).toBe('current');
    expect(files.state({ ...source, program: '2;\n' })).toBe('outdated');
    expect([files.uninstall(), files.uninstall(), files.state(source)]).toEqual([true, false, 'missing']);
  });
});

describe('what is ours by its path', () => {
  it.each([
    [{ command: 'node', args: [CJS, 'claude'] }, true],
    [{ commandWindows: 'C:\\nodejs\\node.exe C:\\sb\\bin\\signalbox-hook.cjs codex' }, true],
    [{ powershell: "& 'C:\\x y\\node.exe' 'C:\\x y\\signalbox-hook.cjs' copilot; exit 0" }, true],
    [{ command: 'C:\\x\\signalbox-hook.cjs.bak codex' }, false],
    [{ command: 'C:\\x\\my-signalbox-hook.cjs codex' }, false],
    [{ powershell: 'signalbox-hook-mine.cjs' }, false],
  ])('%j: %s', (handler, expected) => {
    expect(isOurs(handler)).toBe(expected);
  });
});

describe('a line for a shell (not run on Windows)', () => {
  /** Blanks outside of quotes part the words, and quotes go: cmd's programs, PowerShell, bash. */
  function wordsOf(line: string, quote: string): string[] {
    const pattern = new RegExp(`(?:[^ ${quote}]|${quote}[^${quote}]*${quote})+`, 'g');
    return (line.match(pattern) ?? []).map((word) => word.replaceAll(quote, ''));
  }
  const part = fc.stringMatching(/^[A-Za-z0-9 ()&,;@.ü-]{1,12}$/);
  const path = fc
    .tuple(
      fc.constantFrom('C:\\', 'd:\\', '\\\\server\\share\\'),
      fc.array(part, { minLength: 1, maxLength: 4 }),
    )
    .map(([drive, parts]) => drive + parts.join('\\'));

  it('of cmd and PowerShell says the same words, and begins with no quote', () => {
    fc.assert(
      fc.property(fc.array(path, { minLength: 1, maxLength: 3 }), (words) => {
        const line = windowsLine(words);
        expect(wordsOf(line, '"')).toEqual(words);
        expect(line).not.toMatch(/^"/);
      }),
    );
  });

  it('of PowerShell, and of Git bash', () => {
    fc.assert(
      fc.property(path, (word) => {
        expect(wordsOf(powershellLine([word, 'x']), "'")).toEqual(['&', word, 'x']);
        expect(wordsOf(gitBashLine([word]), "'")).toEqual([word.replaceAll('\\', '/')]);
      }),
    );
  });

  it('doubles quotes where they count, and leaves plain words bare', () => {
    expect(powershellLine(['C:\\O’Neil\\node.exe'])).toBe("& 'C:\\O’’Neil\\node.exe'");
    expect(powershellLine(["C:\\O'Neil\\node.exe"])).toBe("& 'C:\\O''Neil\\node.exe'");
    expect(windowsLine(['C:\\nodejs\\node.exe', 'codex'])).toBe('C:\\nodejs\\node.exe codex');
    expect(posixLine(['/a b/c', "it's"])).toBe("'/a b/c' 'it'\\''s'");
  });
});
