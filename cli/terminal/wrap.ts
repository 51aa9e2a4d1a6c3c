/** How far lines are moved to the right, in columns. */
export interface Indent {
  readonly first: number;
  readonly rest: number;
}

/** Breaks a text into lines of at most `width` columns at its spaces; a word that is longer keeps its line. Plain text without escape sequences. */
export function wrap(text: string, width: number, { first, rest }: Indent): string {
  const lines: string[] = [];
  let line = ' '.repeat(first);
  let empty = true;
  for (const word of text.split(' ')) {
    if (!empty && line.length + 1 + word.length > width) {
      lines.push(line);
      line = ' '.repeat(rest);
      empty = true;
    }
    line += empty ? word : ` ${word}`;
    empty = false;
  }
  return [...lines, line].join('\n');
}
