import { type BitBarMenu, menuOfLines } from './bitbar.ts';

const SEPARATOR = '~~~';

/** What SwiftBar shows after these pieces of a stream: what stands behind the last separator of a piece, and whole pieces without one after it (StreamablePlugin.swift). */
export function swiftBarContent(pieces: readonly string[]): string {
  return pieces.reduce(
    (content, piece) => (piece.includes(SEPARATOR) ? (piece.split(SEPARATOR).at(-1) ?? '') : content + piece),
    '',
  );
}

/** MenuBarItem.swift and MenuLineParameters.swift. Lines end at any of Foundation's newlines. */
export function readSwiftBar(content: string): BitBarMenu {
  return menuOfLines(content.split(/[\n\v\f\r\u0085\u2028\u2029]/), (line) => {
    const index = line.indexOf('|');
    const title = index === -1 ? line : line.slice(0, index);
    const params = paramsOf(index === -1 ? '' : line.slice(index + 1).trim());
    for (const key of ['emojize', 'symbolize'])
      if (params.get(key) !== 'false' && /:[^:\s]+:/.test(title))
        throw new Error(`${key} would replace a name in: ${title}`);
    if (params.get('ansi') === 'true' || params.get('md') === 'true')
      throw new Error(`read as markup: ${title}`);
    const program = params.get('bash') ?? params.get('shell');
    const args = [...params.keys()]
      .filter((key) => key.startsWith('param'))
      .sort((a, b) => Number(a.slice(5)) - Number(b.slice(5)))
      .map((key) => params.get(key) ?? '');
    const active = [...params.keys()].filter((key) => ['href', 'stdin', 'webview', 'shortcut'].includes(key));
    if (active.length > 0) throw new Error(`a click would do more: ${active.join(', ')}`);
    const colour = params.get('color');
    return {
      text: title,
      ...(program !== undefined && { command: [program, ...args] }),
      ...(colour !== undefined && { colour }),
    };
  });
}

function paramsOf(text: string): Map<string, string> {
  const params = new Map<string, string>();
  let at = 0;
  const skip = (): void => {
    while (text[at] === ' ' || text[at] === '\t') at += 1;
  };
  for (;;) {
    skip();
    const sign = text.indexOf('=', at);
    if (at >= text.length || sign === -1) return params;
    const key = text.slice(at, sign).trim().toLowerCase();
    at = sign + 1;
    skip();
    let value = '';
    const quote = text[at];
    if (quote === '"' || quote === "'") {
      for (at += 1; at < text.length && text[at] !== quote; at += 1) {
        if (text[at] === '\\') value += text[at++];
        value += text[at] ?? '';
      }
      at += 1;
    } else {
      const end = text.slice(at).search(/[ \t]/);
      value = end === -1 ? text.slice(at) : text.slice(at, at + end);
      at += value.length;
    }
    params.set(key, value);
  }
}
