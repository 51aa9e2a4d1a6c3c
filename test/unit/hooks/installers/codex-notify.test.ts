import { existsSync } from 'node:fs';
import * as fc from 'fast-check';
import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { notifyIn, withNotify, withoutNotify } from '../../../../hooks/installers/codex-notify.ts';
import { codex } from '../../../../hooks/installers/agents/codex.ts';
import { codexNotify } from '../../../../hooks/installers/agents/codex-notify.ts';
import { SenderFiles } from '../../../../hooks/installers/sender-files.ts';
import { installingMachine, SENDER } from '../../../support/installing.ts';

const [PATH] = SENDER.program;
const OURS = `"${PATH}", "codex-notify"`;
const on = (text: string): string => withNotify(text, 'config.toml', SENDER);
const off = (text: string): string => withoutNotify(text, 'config.toml');

describe("Codex' notify", () => {
  it.each([
    ['nothing', '', `notify = [${OURS}]\n`],
    ['a table alone', '# mine\n[tui]\na = 1\n', `notify = [${OURS}]\n# mine\n[tui]\na = 1\n`],
    ['keys', 'a = 1 # one\n\n# t\n[t]\n', `a = 1 # one\nnotify = [${OURS}]\n\n# t\n[t]\n`],
    ['no line end', 'a = 1', `a = 1\nnotify = [${OURS}]`],
    ['CRLF and a mark', '\uFEFFa = 1\r\n[t]\r\n', `\uFEFFa = 1\r\nnotify = [${OURS}]\r\n[t]\r\n`],
    ['a program', 'notify = [\'old\', "x"] # mine\n', `notify = [${OURS}, "--", 'old', "x"] # mine\n`],
    ['a quoted key', '"not\\u0069fy" = ["old"]', `"not\\u0069fy" = [${OURS}, "--", "old"]`],
    [
      'many lines',
      'notify = [\r\n  "old", # ]\r\n  """a]"""",\r\n]\r\n',
      `notify = [${OURS}, "--",\r\n  "old", # ]\r\n  """a]"""",\r\n]\r\n`,
    ],
    [
      'a lookalike in a text',
      'a = """\nnotify = ["x"]\n[t]\n"""\n',
      `a = """\nnotify = ["x"]\n[t]\n"""\nnotify = [${OURS}]\n`,
    ],
    ['one below a table', '[t]\nnotify = ["x"]\n', `notify = [${OURS}]\n[t]\nnotify = ["x"]\n`],
    ['a blank behind the bracket', 'notify = [ "old" ]\n', `notify = [${OURS}, "--",  "old" ]\n`],
  ])('beside %s', (_, before, after) => {
    expect(on(before)).toBe(after);
    expect(on(after)).toBe(after);
    expect(off(after)).toBe(before);
    expect(off(before)).toBe(before);
  });

  it('of an older version, or from Windows, is brought up to date', () => {
    const windows = new SenderFiles('C:\\sb', 'win32').command('C:\\n\\node.exe');
    const old = withNotify('notify = ["old"]\n', 'config.toml', windows);
    expect(notifyIn(old, 'config.toml')?.words).toEqual([...windows.program, 'codex-notify', '--', 'old']);
    expect(on(old)).toBe(on('notify = ["old"]\n'));
    expect(on(`notify = [${OURS.replace('/home', '/elsewhere')}]\n`)).toBe(`notify = [${OURS}]\n`);
  });

  it.each([
    ['notify = "old"\n', 1, 10],
    ['a = 1\nnotify = [1]\n', 2, 10],
    ['a = 1\nb = \n', 2, 5],
    ['\uFEFFa = 1\na = 2\n', 2, 1],
    ['[notify]\na = 1\n', 1, 1],
  ])('in %j is refused, and where is told', (text, line, column) => {
    const { install, put, read } = installingMachine();
    put(codexNotify, text);
    expect(() => install(codexNotify)).toThrow(
      expect.objectContaining({
        code: 'settings_unreadable',
        params: expect.objectContaining({ line, column }),
      }),
    );
    expect(read(codexNotify)).toBe(text);
  });

  it('has a record of its own: hooks and notify come and go without each other', () => {
    const { install, uninstall, put, read, fileOf } = installingMachine();
    const before = 'notify = [ ]\nmodel = "x"';
    put(codexNotify, before);
    install(codex);
    install(codexNotify);
    uninstall(codex);
    expect([existsSync(fileOf(codex)), read(codexNotify)]).toEqual([false, expect.stringContaining(PATH)]);
    uninstall(codexNotify);
    expect(read(codexNotify)).toBe(before);
  });

  it('gives the old program back where the file was changed meanwhile, and takes a file away that it made', () => {
    const { install, uninstall, put, read, fileOf } = installingMachine();
    put(codexNotify, 'notify = ["old", "a b"]\n');
    install(codexNotify);
    put(codexNotify, `${read(codexNotify)}[projects."/x"]\ntrust_level = "trusted"\n`);
    uninstall(codexNotify);
    expect(read(codexNotify)).toBe('notify = ["old", "a b"]\n[projects."/x"]\ntrust_level = "trusted"\n');

    const other = installingMachine();
    other.install(codexNotify);
    other.uninstall(codexNotify);
    expect(existsSync(other.fileOf(codexNotify))).toBe(false);
    expect(fileOf(codexNotify)).toMatch(/config\.toml$/);
  });
});

describe("any TOML with or without a notify of somebody's", () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 12 });
  const basic = text.map((each) => JSON.stringify(each).replaceAll('\u007F', '\\u007F'));
  const literal = text.map((each) => `'${each.replace(/['\p{Cc}]/gu, '[')}'`);
  const long = text.map((each) => `"""\n${each.replace(/["\\\p{Cc}]/gu, ']')}""""`);
  const string = fc.oneof(basic, literal, long);
  const gap = fc.constantFrom('', ' ', '\n', '\n  # it\'s "[]" \n  ', '\t');
  const words = fc.array(fc.tuple(gap, string, gap), { minLength: 1, maxLength: 4 });
  const list = fc.tuple(words, fc.boolean(), gap).map(([all, comma, last]) => {
    const inner = all.map((parts) => parts.join('')).join(',');
    return `[${inner}${comma ? `,${last}` : ''}]`;
  });
  const value = fc.oneof(
    string,
    list,
    fc.constantFrom('1', '{ a = "}", b = [1] }', '1979-05-27T07:32:00Z', '0.5'),
  );
  const name = fc.constantFrom('notify', '"notify"', "'notify'");
  const document = fc
    .record({
      mark: fc.boolean(),
      crlf: fc.boolean(),
      values: fc.array(value, { maxLength: 4 }),
      notify: fc.option(fc.tuple(name, list, fc.nat(4))),
      tables: fc.array(value, { maxLength: 2 }),
      end: fc.constantFrom('', '\n', '\n\n# end'),
      lead: fc.constantFrom('', '# notify = ["no"]\n', '\n\n'),
    })
    .map(({ mark, crlf, values, notify, tables, end, lead }) => {
      const lines = values.map((each, index) => `k${index} = ${each} # [c]`);
      if (notify !== null) lines.splice(notify[2], 0, `  ${notify[0]}  = ${notify[1]}`);
      const all = [...lines, ...tables.map((each, index) => `[t${index}]\nnotify = ${each}`)];
      const joined = lead + all.join('\n') + end;
      return (mark ? '\uFEFF' : '') + (crlf ? joined.replaceAll('\n', '\r\n') : joined);
    });

  it('keeps all else, is the same a second time, and gives the bytes back', () => {
    fc.assert(
      fc.property(document, (before) => {
        const { notify: old, ...others } = parse(before.replace(/^\uFEFF/, ''));
        const after = on(before);
        const { notify, ...rest } = parse(after.replace(/^\uFEFF/, ''));
        expect(rest).toEqual(others);
        expect(notify).toEqual([
          PATH,
          'codex-notify',
          ...(old === undefined ? [] : ['--', ...(old as string[])]),
        ]);
        expect(on(after)).toBe(after);
        expect(off(after)).toBe(before);
      }),
      { numRuns: 500 },
    );
  });
});
