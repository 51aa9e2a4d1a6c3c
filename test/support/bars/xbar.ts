import { type BitBarMenu, menuOfLines } from './bitbar.ts';

const KNOWN =
  /^(?:disabled|key|href|color|font|size|shell|bash|templateImage|image|terminal|refresh|dropdown|length|trim|alternate|emojize|ansi|param\d+)$/;

/** pkg/plugins/parse.go and item_params.go. @throws Error where xbar would show an error in place of the menu */
export function readXbar(output: string): BitBarMenu {
  return menuOfLines(output.split('\n'), (line) => {
    const index = line.indexOf('|');
    const text = index === -1 ? line : line.slice(0, index);
    const params = index === -1 ? new Map<string, string>() : paramsOf(line.slice(index + 1));
    for (const key of params.keys()) if (!KNOWN.test(key)) throw new Error(`unknown parameter: ${key}`);
    const colour = params.get('color');
    if (colour !== undefined && !/^#(?:[\da-f]{3}){1,2}$/.test(colour))
      throw new Error(`invalid hex format: ${colour}`);
    if (params.get('emojize') !== 'false' && /:[^:\s]+:/.test(text))
      throw new Error(`a name would become an emoji in: ${text}`);
    if (params.get('ansi') !== 'false' && text.includes('\\')) throw new Error(`unquoted by Go: ${text}`);
    const program = params.get('shell') ?? params.get('bash');
    const args = [...params.keys()]
      .filter((key) => key.startsWith('param'))
      .sort((a, b) => Number(a.slice(5)) - Number(b.slice(5)))
      .map((key) => params.get(key) ?? '');
    if (params.has('href')) throw new Error('a click would open an address');
    return {
      text,
      ...(program !== undefined && { command: [program, ...args] }),
      ...(colour !== undefined && { colour }),
    };
  });
}

function paramsOf(text: string): Map<string, string> {
  const params = new Map<string, string>();
  let rest = text;
  for (;;) {
    rest = rest.trim();
    if (rest === '') return params;
    const sign = rest.indexOf('=');
    if (sign === -1) throw new Error('malformed parameters: missing equals');
    const key = rest.slice(0, sign).replace(/^\|/, '').trim();
    const quote = rest[sign + 1];
    const isQuoted = quote === '"' || quote === "'";
    const start = sign + (isQuoted ? 2 : 1);
    let end = rest.indexOf(isQuoted ? quote : ' ', start);
    if (end === -1) end = rest.indexOf('|', start);
    if (end === -1) end = rest.length;
    params.set(key, rest.slice(start, end));
    rest = rest.slice(end + 1);
  }
}
