import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { systemdUnit, unitFolders } from '../../../../cli/service/systemd-unit.ts';
import { verifyUnit } from '../../../support/systemd.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

vi.setConfig({ testTimeout: 60_000 });

const STRANGE = [
  'a b',
  '100%h',
  '$HOME',
  '$$',
  "o'neil",
  'q"uote',
  'back\\slash',
  'a;b',
  'é<&>',
  '#x',
  'new\nline',
];

/** The words of a value as systemd.syntax and systemd.service tell it: quotes, C escapes, `%%`, and in ExecStart `$$`. */
function wordsOf(value: string, dollars: boolean): string[] {
  const words = value.match(/"(?:\\.|[^"\\])*"|[^\s"]+/g) ?? [];
  return words.map((word) => {
    const inner = word.startsWith('"') ? word.slice(1, -1) : word;
    const plain = inner
      .replace(/\\x([0-9a-f]{2})|\\(.)/g, (_, hex: string | undefined, other: string) =>
        hex === undefined ? other : String.fromCharCode(Number.parseInt(hex, 16)),
      )
      .replaceAll('%%', '%');
    return dollars ? plain.replaceAll('$$', '$') : plain;
  });
}

const valueOf = (unit: string, key: string): string => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1] ?? '';

/** A Node under a folder of a strange name. */
function nodeIn(name: string): string {
  const folder = join(temporaryFolder(), name);
  mkdirSync(folder);
  symlinkSync(process.execPath, join(folder, 'node'));
  return join(folder, 'node');
}

describe('the systemd unit', () => {
  it('is what systemd takes without a complaint', async () => {
    const unit = systemdUnit({ words: [process.execPath, '/opt/signalbox/main.js', 'up'], variables: [] });
    expect(await verifyUnit(unit)).toBe('');
    expect(unit).toContain(`ExecStart=${process.execPath} "/opt/signalbox/main.js" "up"\n`);
    expect(unit).toContain('Restart=on-failure\n');
    expect(unit).toContain('WantedBy=default.target\n');
    expect(unit).not.toContain('Environment');
  });

  it('the check is a real one: systemd complains of a program that is not there', async () => {
    const unit = systemdUnit({ words: ['/nowhere/node', 'main.js'], variables: [] });
    expect(await verifyUnit(unit)).toContain('/nowhere/node is not executable');
  });

  it.each(STRANGE)('takes a Node, a program and a folder called %j', async (name) => {
    const node = nodeIn(name);
    const words = [node, `/opt/${name}/main.js`, 'up'];
    const unit = systemdUnit({ words, variables: [['SIGNALBOX_HOME', `/srv/${name}`]] });
    expect(await verifyUnit(unit)).toBe('');
    const line = wordsOf(valueOf(unit, 'ExecStart'), true);
    expect(line.slice(-3)).toEqual(words);
    expect(line.slice(0, -3)).toBeOneOf([[], ['/bin/sh', '-c', 'exec "$@"', 'sh']]);
    expect(wordsOf(valueOf(unit, 'Environment'), false)).toEqual([`SIGNALBOX_HOME=/srv/${name}`]);
  });

  it('two units run the same hub when their folders are the same, whatever runs it', () => {
    const unit = (program: string, home: string): string =>
      systemdUnit({ words: [program, 'up'], variables: [['SIGNALBOX_HOME', home]] });
    expect(unitFolders(unit('/a/node', '/srv/x'))).toBe(unitFolders(unit('/b/node', '/srv/x')));
    expect(unitFolders(unit('/a/node', '/srv/x'))).not.toBe(unitFolders(unit('/a/node', '/srv/y')));
    expect(unitFolders(systemdUnit({ words: ['/a/node'], variables: [] }))).toBe('');
  });
});
