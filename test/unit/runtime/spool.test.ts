import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isSpooled, spool, takeDropped } from '../../../runtime/spool.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const NOW = 1_796_000_000_000_000;

function waiting(folder: string): string[] {
  return readdirSync(folder)
    .filter(isSpooled)
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8'));
}

describe('the spool', () => {
  it('is a private folder with private files, whole ones only', () => {
    const folder = join(temporaryFolder(), 'data', 'spool');
    spool(folder, '{"a":1}', { at: NOW, now: NOW });
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const [name = ''] = readdirSync(folder);
    expect(readdirSync(folder)).toEqual([name]);
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  });

  it('closes a folder that others could look into', () => {
    const folder = join(temporaryFolder(), 'spool');
    mkdirSync(folder);
    chmodSync(folder, 0o755);
    spool(folder, '{}', { at: NOW, now: NOW });
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it("lists in the order of the events' moments, also below a millisecond", () => {
    const folder = temporaryFolder();
    for (const at of [NOW + 1000, NOW, NOW + 1, NOW - 5_000_000, 7])
      spool(folder, String(at), { at, now: NOW });
    expect(waiting(folder).map(Number)).toEqual([7, NOW - 5_000_000, NOW, NOW + 1, NOW + 1000]);
  });

  it('drops the oldest above the number of files, and counts them once', () => {
    const folder = temporaryFolder();
    const limits = { files: 3, bytes: 1000 };
    for (let at = 0; at < 8; at += 1) spool(folder, String(at), { at, now: NOW, limits });
    expect(waiting(folder)).toEqual(['5', '6', '7']);
    expect(takeDropped(folder)).toBe(5);
    expect(takeDropped(folder)).toBe(0);
  });

  it('drops the oldest above the number of bytes, also the one just written if it is the oldest', () => {
    const folder = temporaryFolder();
    const limits = { files: 100, bytes: 10 };
    for (let at = 10; at < 14; at += 1) spool(folder, `${at}ää`, { at, now: NOW, limits });
    expect(waiting(folder)).toEqual(['13ää']);
    spool(folder, '9', { at: 9, now: NOW, limits });
    spool(folder, 'too long', { at: 8, now: NOW, limits });
    expect(waiting(folder)).toEqual(['9', '13ää']);
    expect(takeDropped(folder)).toBe(4);
  });

  it('clears what a killed writer has left, and nothing of one that still writes', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, `draft-${NOW - 61_000_000}-aaaaaaaaaa`), '');
    writeFileSync(join(folder, `draft-${NOW - 59_000_000}-bbbbbbbbbb`), '');
    writeFileSync(join(folder, 'notes.txt'), '');
    spool(folder, '{}', { at: NOW, now: NOW });
    expect(
      readdirSync(folder)
        .filter((name) => !isSpooled(name))
        .sort(),
    ).toEqual([`draft-${NOW - 59_000_000}-bbbbbbbbbb`, 'notes.txt']);
  });

  it('leaves nothing behind when the folder cannot be one', () => {
    const home = temporaryFolder();
    writeFileSync(join(home, 'spool'), '');
    expect(() => spool(join(home, 'spool'), '{}', { at: NOW, now: NOW })).toThrow(
      expect.objectContaining({ code: 'folder_unusable' }),
    );
    expect(readdirSync(home)).toEqual(['spool']);
  });
});
