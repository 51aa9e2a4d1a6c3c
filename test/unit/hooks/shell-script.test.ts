import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const PATH = fileURLToPath(new URL('../../../hooks/signalbox-hook.sh', import.meta.url));
const LINES = readFileSync(PATH, 'utf8').split('\n');
const CODE = LINES.filter((line) => !/^\s*#/.test(line)).join('\n');

describe('the shell sender', () => {
  it('has nothing that shellcheck objects to', () => {
    const { status, stdout } = spawnSync('shellcheck', [PATH], { encoding: 'utf8' });
    expect([stdout, status]).toEqual(['', 0]);
  });

  it('can be read by a POSIX shell and by bash', () => {
    for (const shell of ['sh', 'bash']) execFileSync(shell, ['-n', PATH]);
  });

  // What bash 3.2 (macOS) can't run, or what no sh can read.
  it.each([
    ['an associative array', /\b(?:declare|local|typeset)\b/],
    ['mapfile', /\b(?:mapfile|readarray)\b/],
    ['a quoting or case expansion', /\$\{\w+(?:@\w|,,|\^\^)/],
    ['a substring or a replacement', /\$\{\w+(?::\d|\/)/],
    ['an array', /\w\+?=\(|\$\{\w+\[/],
    ['a double bracket', /\[\[ |\(\( /],
    ['a pipe of both outputs', /\|&|&>/],
    ['a quoted escape', /\$'/],
    ['a text on standard input, which bash may put into a file', /<</],
    ['wait -n', /\bwait -n/],
    ['a date by printf', /%\(/],
    ['a process substitution outside of eval', /^(?!\s*eval ').*<\(/m],
    ['an eval of anything that is no constant', /\beval (?!'[^']*'$)/m],
  ])('has not %s', (_name, pattern) => {
    expect(CODE.match(pattern)?.[0]).toBeUndefined();
  });

  it('asks for the newer of bash only where that is there', () => {
    // EPOCHREALTIME stands in two places, behind `bash -ge 5` and `started`, which is set there; -N in one function, called behind the same.
    const places = (what: string): number => LINES.filter((line) => line.includes(what)).length;
    expect([places('EPOCHREALTIME'), places('read -r -N')]).toEqual([2, 2]);
    expect(CODE).toMatch(/if \[ "\$bash" -ge 5 \]; then\n {2}started=\$\{EPOCHREALTIME/);
    expect(CODE).toMatch(/if \[ -n "\$started" \]; then\n {4}left=.*EPOCHREALTIME/);
    expect(CODE).toMatch(/elif \[ "\$bash" -ge 5 \]; then\n {2}read_modern/);
  });
});
