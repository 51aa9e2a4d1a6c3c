import { describe, expect, it } from 'vitest';
import { agentFolders, launchdAgent } from '../../../../cli/service/launchd-agent.ts';

const LOG = '/srv/hub.log';

type Value = string | boolean | Value[] | { [key: string]: Value };

/**
 * Reads a property list strictly: a declaration, the document type, comments, then one plist of dict, array, string, true and false, in matching tags and with the five
 * entities of XML alone. Apple's own reader is not on this system.
 */
function readPlist(text: string): Value {
  const prolog =
    /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<!DOCTYPE plist PUBLIC "[^"]+" "[^"]+">\n(?:<!--(?:(?!--)[^])*-->\n)?/;
  const tokens = text.replace(prolog, '').match(/<[^<>]*>|[^<>]+/g) ?? [];
  expect(text).toMatch(prolog);
  expect(tokens.join('')).toBe(text.replace(prolog, ''));
  let at = 0;
  const blank = (): void => {
    while (/^\s+$/.test(tokens[at] ?? '')) at += 1;
  };
  const expectTag = (tag: string): void => {
    blank();
    expect(tokens[at]).toBe(tag);
    at += 1;
  };
  const textOf = (tag: string): string => {
    expectTag(`<${tag}>`);
    const inner = tokens[at]?.startsWith('<') === true ? '' : (tokens[at++] ?? '');
    expect(tokens[at++]).toBe(`</${tag}>`);
    expect(inner).not.toMatch(/&(?!(?:amp|lt|gt|quot|apos);)/);
    const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
    return inner.replace(/&(\w+);/g, (_, name: string) => entities[name] ?? '');
  };
  const value = (): Value => {
    blank();
    const tag = tokens[at];
    if (tag === '<string>') return textOf('string');
    at += 1;
    if (tag === '<true/>' || tag === '<false/>') return tag === '<true/>';
    if (tag === '<array>') {
      const list: Value[] = [];
      for (blank(); tokens[at] !== '</array>'; blank()) list.push(value());
      at += 1;
      return list;
    }
    expect(tag).toBe('<dict>');
    const dict: Record<string, Value> = {};
    for (blank(); tokens[at] !== '</dict>'; blank()) {
      const key = textOf('key');
      expect(dict).not.toHaveProperty([key]);
      dict[key] = value();
    }
    at += 1;
    return dict;
  };
  expectTag('<plist version="1.0">');
  const found = value();
  expectTag('</plist>');
  blank();
  expect(at).toBe(tokens.length);
  return found;
}

describe('the launchd agent', () => {
  it.each(['plain', 'a b', 'a&b', '<x>', ']]>', '&amp;', '-->', "o'neil", '"', '$HOME', '100%', 'é😀'])(
    'starts a program, and keeps a folder, called %j',
    (name) => {
      const words = [`/opt/${name}/node`, `/opt/${name}/main.js`, 'up'];
      const text = launchdAgent({
        words,
        variables: [['SIGNALBOX_HOME', `/srv/${name}`]],
        log: `/srv/${name}/hub.log`,
      });
      expect(readPlist(text)).toEqual({
        Label: 'signalbox',
        ProgramArguments: words,
        EnvironmentVariables: { SIGNALBOX_HOME: `/srv/${name}` },
        StandardOutPath: `/srv/${name}/hub.log`,
        StandardErrorPath: `/srv/${name}/hub.log`,
        RunAtLoad: true,
        KeepAlive: { SuccessfulExit: false },
      });
    },
  );

  it('has no environment where none is wanted', () => {
    expect(readPlist(launchdAgent({ words: ['/n', 'up'], variables: [], log: LOG }))).not.toHaveProperty(
      'EnvironmentVariables',
    );
  });

  it('refuses what XML cannot write', () => {
    const write = (): string =>
      launchdAgent({ words: ['/n'], variables: [['SIGNALBOX_HOME', '/a\u0007b']], log: LOG });
    expect(write).toThrow(expect.objectContaining({ code: 'folder_unusable' }));
  });

  it('two agents run the same hub when their folders are the same', () => {
    const agent = (program: string, home: string): string =>
      agentFolders(launchdAgent({ words: [program], variables: [['SIGNALBOX_HOME', home]], log: LOG }));
    expect(agent('/a', '/x')).toBe(agent('/b', '/x'));
    expect(agent('/a', '/x')).not.toBe(agent('/a', '/y'));
  });
});
