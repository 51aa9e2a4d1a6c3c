import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { SignalboxError } from '../../protocol/errors.ts';

/** What an agent's own reader accepts in its settings file. */
export interface Dialect {
  /** Line and block comments. */
  readonly comments: boolean;
}

/**
 * The syntax tree of an agent's settings file, whose root is an object; undefined for a file with nothing in it. Whatever its agent would refuse is refused: an edit
 * would hide the mistake, or make it worse.
 * @param path names the file in an error
 * @throws SignalboxError `settings_unreadable` with line and column
 */
export function parseSettings(text: string, { comments }: Dialect, path: string): Node | undefined {
  if (text.trim() === '') return undefined;
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: !comments, allowTrailingComma: false });
  const [first] = errors;
  if (first !== undefined) throw unreadable(path, text, first.offset, wordsOf(first));
  if (root?.type !== 'object') throw unreadable(path, text, 0, 'it is not an object');
  return root;
}

/**
 * The value of a key, or undefined. @throws SignalboxError `settings_unreadable` when the key stands twice: which one counts is the agent's affair
 */
export function valueOf(object: Node, key: string, text: string, path: string): Node | undefined {
  const found = (object.children ?? []).filter(({ children }) => children?.[0]?.value === key);
  const [first, second] = found;
  if (second !== undefined) throw unreadable(path, text, second.offset, `the key "${key}" stands twice`);
  return first?.children?.[1];
}

/** @throws SignalboxError `settings_unreadable` when the value is of another type than its agent takes */
export function expectType(
  node: Node,
  type: 'object' | 'array',
  name: string,
  text: string,
  path: string,
): void {
  if (node.type !== type) throw unreadable(path, text, node.offset, `"${name}" is not an ${type}`);
}

function unreadable(path: string, text: string, offset: number, reason: string): SignalboxError {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return new SignalboxError('settings_unreadable', {
    path,
    line: before.length,
    column: (before.at(-1)?.length ?? 0) + 1,
    reason,
  });
}

/** The library's codes are words run together: `CommaExpected`. */
function wordsOf({ error }: ParseError): string {
  return printParseErrorCode(error)
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
}
