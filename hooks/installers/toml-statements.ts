/** A `key = value` above the first table; offsets into the text. */
export interface Statement {
  readonly key: string;
  readonly start: number;
  readonly valueStart: number;
  /** Behind the value; a comment may follow. */
  readonly end: number;
}

/** The statements of a TOML document that stand above its first table. @param text a valid one: it has been parsed */
export function topLevelStatements(text: string): readonly Statement[] {
  const statements: Statement[] = [];
  for (let at = skipSpace(text, 0); at < text.length && text[at] !== '['; ) {
    const start = at;
    while (at < text.length && text[at] !== '=') at = isQuote(text[at]) ? stringEnd(text, at) : at + 1;
    const key = text.slice(start, at).trim();
    while (/[=\t ]/.test(text[at] ?? '')) at += 1;
    const valueStart = at;
    const end = valueEnd(text, at);
    statements.push({ key, start, valueStart, end });
    at = skipSpace(text, end);
  }
  return statements;
}

/** Behind white space, line ends and comments. */
export function skipSpace(text: string, from: number): number {
  return from + (/^(?:\s|#[^\n]*)*/.exec(text.slice(from))?.[0].length ?? 0);
}

/** Behind a string that begins there, of any of TOML's four kinds. */
export function stringEnd(text: string, from: number): number {
  const quote = text[from] ?? '';
  const escapes = quote === '"';
  const triple = text.startsWith(quote.repeat(3), from);
  const close = triple ? quote.repeat(3) : quote;
  let at = from + close.length;
  while (at < text.length && !text.startsWith(close, at)) at += escapes && text[at] === '\\' ? 2 : 1;
  at += close.length;
  // Up to two quotes may stand right before the closing three.
  if (triple) at += /^(?:"*|'*)/.exec(text.slice(at, at + 2))?.[0].length ?? 0;
  return Math.min(at, text.length);
}

function isQuote(character: string | undefined): boolean {
  return character === '"' || character === "'";
}

function valueEnd(text: string, from: number): number {
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const character = text[at] ?? '';
    if (isQuote(character)) {
      at = stringEnd(text, at);
      continue;
    }
    if (depth === 0 && /[\n#]/.test(character)) break;
    if (character === '#') {
      at = skipSpace(text, at);
      continue;
    }
    if (/[[{]/.test(character)) depth += 1;
    if (/[\]}]/.test(character)) depth -= 1;
    at += 1;
  }
  return from + text.slice(from, at).trimEnd().length;
}
