import type { Node } from 'jsonc-parser';

/** How a file is written: what one level is indented by, and what a line ends with. */
export interface Layout {
  readonly indent: string;
  readonly eol: string;
}

/** The layout of a file, guessed from its first indented line; two spaces where there is none. */
export function layoutOf(text: string): Layout {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const indent = /(?:^|\n)([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  return { indent, eol };
}

/**
 * Adds a property or an element at the end of an object or array. What stands there stays as it is, comments included; `removeChild` of what was added gives the text back.
 * @param child as JSON text without indentation of its own; its lines are indented
 */
export function addChild(text: string, parent: Node, child: string, { indent, eol }: Layout): string {
  const outer = indentOf(text, parent.offset);
  const inner = outer + indent;
  const end = parent.offset + parent.length - 1;
  const last = parent.children?.at(-1);
  if (last === undefined) {
    const kept = text.slice(parent.offset + 1, end).trimEnd();
    const from = parent.offset + 1 + kept.length;
    return splice(text, from, end, `${eol}${indented(child, inner, eol)}${eol}${outer}`);
  }
  const lastEnd = last.offset + last.length;
  const isOnOneLine = !/[\r\n]/.test(text.slice(parent.offset, last.offset));
  const added = isOnOneLine
    ? ` ${child.replace(/\s*\n\s*/g, ' ')}`
    : `${eol}${indented(child, indentOf(text, last.offset), eol)}`;
  const after = isOnOneLine ? lastEnd : endOfRemark(text, lastEnd, end);
  return splice(splice(text, after, after, added), lastEnd, lastEnd, ',');
}

/** Takes a property or an element out, with its comma and the white space in front of it. Comments stay. */
export function removeChild(text: string, parent: Node, index: number): string {
  const children = parent.children ?? [];
  const child = children[index];
  if (child === undefined) return text;
  const previous = children[index - 1];
  const end = child.offset + child.length;
  const start = child.offset - spaceBefore(text, child.offset);
  if (children[index + 1] !== undefined) return splice(text, start, commaAfter(text, end) + 1, '');
  if (previous !== undefined) {
    const comma = commaAfter(text, previous.offset + previous.length);
    return splice(splice(text, start, end, ''), comma, comma + 1, '');
  }
  const inside = parent.offset + 1;
  const close = parent.offset + parent.length - 1;
  const isEmpty = text.slice(inside, start).trim() === '' && text.slice(end, close).trim() === '';
  return isEmpty ? splice(text, inside, close, '') : splice(text, start, end, '');
}

function splice(text: string, from: number, to: number, put: string): string {
  return text.slice(0, from) + put + text.slice(to);
}

function spaceBefore(text: string, offset: number): number {
  const before = text.slice(0, offset);
  return before.length - before.trimEnd().length;
}

/** The white space that the line of an offset begins with. */
function indentOf(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

function indented(child: string, by: string, eol: string): string {
  return child
    .split('\n')
    .map((line) => by + line)
    .join(eol);
}

/** Where a remark ends that stands behind a value on its line: it belongs to that value. Without one, where the value ends. */
function endOfRemark(text: string, from: number, limit: number): number {
  const remark = /[ \t]*(?:\/\/[^\r\n]*|\/\*(?:(?!\*\/)[^\r\n])*\*\/)/y;
  remark.lastIndex = from;
  return remark.test(text) && remark.lastIndex <= limit ? remark.lastIndex : from;
}

/** Offset of the comma that follows, past white space and comments. */
function commaAfter(text: string, from: number): number {
  const trivia = /(?:\s|\/\/[^\r\n]*|\/\*[^]*?\*\/)*/y;
  trivia.lastIndex = from;
  trivia.test(text);
  return trivia.lastIndex;
}
