import {
  appendFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FileTail } from '../../../runtime/tail.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function tailed({ text, back = 0, longest }: { text?: string; back?: number; longest?: number } = {}) {
  const folder = temporaryFolder();
  const path = join(folder, 'log.jsonl');
  if (text !== undefined) writeFileSync(path, text);
  const tail = new FileTail({ path, folder, back, ...(longest !== undefined && { longest }) });
  /** Looks until there is no more. */
  const lines = (): readonly string[] | string => {
    const all: string[] = [];
    for (;;) {
      const looked = tail.look();
      if (looked.kind !== 'lines') return looked.kind;
      all.push(...looked.lines);
      if (!looked.more) return all;
    }
  };
  return { folder, path, lines, add: (more: string | Buffer) => appendFileSync(path, more) };
}

describe('a file that grows', () => {
  it('is read from its end, whole lines only', () => {
    const { lines, add } = tailed({ text: 'old\nhalf' });
    expect(lines()).toEqual([]);
    add(' line\nnew\nbe');
    expect(lines()).toEqual(['new']);
    expect(lines()).toEqual([]);
    add('gun\n');
    expect(lines()).toEqual(['begun']);
  });

  it('an end between two lines loses none', () => {
    const { lines, add } = tailed({ text: 'old\n' });
    expect(lines()).toEqual([]);
    add('new\n');
    expect(lines()).toEqual(['new']);
  });

  it.each<[number, string[]]>([
    [5, []],
    [6, ['three']],
    [7, ['three']],
    [10, ['two', 'three']],
    [99, ['one', 'two', 'three']],
  ])('or from %i bytes before it', (back, expected) => {
    const { lines } = tailed({ text: 'one\ntwo\nthree\n', back });
    expect(lines()).toEqual(expected);
  });

  it('a character written in two parts is one', () => {
    const { lines, add } = tailed({ text: '' });
    expect(lines()).toEqual([]);
    const bytes = Buffer.from('ä🚦\n');
    for (const byte of bytes.subarray(0, -1)) {
      add(Buffer.from([byte]));
      expect(lines()).toEqual([]);
    }
    add('\n');
    expect(lines()).toEqual(['ä🚦']);
  });

  it('a line of many megabytes is passed over, and what follows is read', () => {
    const { lines, add } = tailed({ text: '' });
    lines();
    for (let part = 0; part < 5; part += 1) {
      add('x'.repeat(1_000_000));
      expect(lines()).toEqual([]);
    }
    add('\nnext\n');
    expect(lines()).toEqual(['next']);
  });

  it('many megabytes of lines are read in pieces', () => {
    const { lines, add } = tailed({ text: '' });
    lines();
    const line = 'y'.repeat(999);
    add(`${line}\n`.repeat(3000));
    expect(lines()).toEqual(Array.from({ length: 3000 }, () => line));
  });
});

describe('a file that is not what it was', () => {
  it('cut off and begun anew: read from its beginning', () => {
    const { path, lines, add } = tailed({ text: 'old\nold\n' });
    lines();
    truncateSync(path, 0);
    expect(lines()).toEqual([]);
    add('new\n');
    expect(lines()).toEqual(['new']);
  });

  it('another file under its name: read from its beginning', () => {
    const { path, lines } = tailed({ text: 'old\nold' });
    lines();
    writeFileSync(`${path}.2`, 'first\nsecond\n');
    renameSync(`${path}.2`, path);
    expect(lines()).toEqual(['first', 'second']);
  });

  it('removed, and made again', () => {
    const { path, lines } = tailed({ text: 'old\n' });
    lines();
    rmSync(path);
    expect(lines()).toBe('missing');
    writeFileSync(path, 'new\n');
    expect(lines()).toEqual(['new']);
  });

  it('made only later: all of it is new', () => {
    const { path, lines } = tailed();
    expect(lines()).toBe('missing');
    writeFileSync(path, 'new\n');
    expect(lines()).toEqual(['new']);
  });
});

describe('what is not read', () => {
  it('a link, a folder, a file that a link on the way leads to, one outside the folder', () => {
    const [own, other] = [temporaryFolder(), temporaryFolder()];
    writeFileSync(join(other, 'secret'), 'secret\n');
    symlinkSync(join(other, 'secret'), join(own, 'link'));
    symlinkSync(other, join(own, 'away'));
    mkdirSync(join(own, 'folder'));
    for (const path of [
      join(own, 'link'),
      join(own, 'away', 'secret'),
      join(own, 'folder'),
      join(other, 'secret'),
      `${own}/../${other.split('/').at(-1)}/secret`,
    ])
      expect(new FileTail({ path, folder: own, back: 99 }).look()).toEqual({ kind: 'refused' });
  });

  it('a link that has taken the place of the file', () => {
    const { path, lines, folder } = tailed({ text: 'old\n' });
    lines();
    writeFileSync(join(folder, 'other'), 'secret\n');
    rmSync(path);
    symlinkSync(join(folder, 'other'), path);
    expect(lines()).toBe('refused');
  });

  it('a folder that is a link itself is the agent’s own all the same', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'real'));
    symlinkSync('real', join(folder, 'agent'));
    writeFileSync(join(folder, 'real', 'log'), 'line\n');
    const tail = new FileTail({
      path: join(folder, 'agent', 'log'),
      folder: join(folder, 'agent'),
      back: 99,
    });
    expect(tail.look()).toMatchObject({ lines: ['line'] });
  });
});
