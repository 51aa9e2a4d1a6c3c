import { type BitBarMenu, menuOfLines } from './bitbar.ts';

/** utilities.js and button.js of Argos. A click's command is given to `bash -c`, so it is taken apart once more. */
export function readArgos(output: string): BitBarMenu {
  return menuOfLines(output.split('\n'), (line) => {
    const index = line.indexOf('|');
    const text = index === -1 ? line : line.slice(0, index);
    const params = new Map(
      (index === -1 ? [] : shellWords(line.slice(index + 1))).map((word) => {
        const sign = word.indexOf('=');
        return [word.slice(0, sign).trim(), word.slice(sign + 1).trim()] as const;
      }),
    );
    if (params.get('unescape') !== 'false' && text.includes('\\'))
      throw new Error(`read as escapes: ${text}`);
    if (params.get('emojize') !== 'false' && /:[\w+-]+:/.test(text))
      throw new Error(`a name would become an emoji in: ${text}`);
    if (params.get('useMarkup') !== 'false' && /[<&]/.test(text)) throw new Error(`read as markup: ${text}`);
    for (const key of ['eval', 'href']) if (params.has(key)) throw new Error(`a click would use ${key}`);
    const bash = params.get('bash');
    const colour = params.get('color');
    return {
      text,
      ...(bash !== undefined && { command: shellWords(bash) }),
      ...(colour !== undefined && { colour }),
    };
  });
}

/** GLib's shell_parse_argv, which is a POSIX shell's quoting without expansions. @throws Error for what a shell would do more with */
export function shellWords(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character === "'") {
      const end = text.indexOf("'", at + 1);
      if (end === -1) throw new Error(`unbalanced quotes: ${text}`);
      word = (word ?? '') + text.slice(at + 1, end);
      at = end;
    } else if (character === '\\') {
      at += 1;
      word = (word ?? '') + (text[at] ?? '');
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (/["$`;&|<>()*?[\]{}~!]/.test(character)) throw new Error(`unquoted ${character} in: ${text}`);
    else word = (word ?? '') + character;
  }
  return word === undefined ? words : [...words, word];
}
