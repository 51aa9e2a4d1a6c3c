import { Visitor } from 'oxc-parser';
import { importsOf } from './imports.ts';
import { isOutside } from './layers.ts';
import type { SourceFile, Violation } from './source-file.ts';

const SQL =
  /^\s*(?:select\b[\s\S]*\bfrom\b|insert\s+(?:or\s+\w+\s+)?into\b|replace\s+into\b|update\s+\w+\s+set\b|delete\s+from\b|create\s+(?:unique\s+|temp\s+|virtual\s+)?(?:table|index|trigger|view)\b|alter\s+table\b|drop\s+(?:table|index|trigger|view)\b|pragma\s+\w+|begin\s+(?:immediate|exclusive|deferred)\b|savepoint\s)/i;

/** `*-store.ts`, and the numbered migrations beside it. */
const SQL_ROOM = /(?:-store|(?:^|[/-])migrations)\.ts$|\/migrations\//;

const TOPIC =
  /^(?:hook|usage|signal|lamp|session|job|device|host|evidence|signalbox)\/(?:[\w#+<{:-][^\s]*)?$/;

/** The two tables of the bus: what a topic is called, and who may use it. */
const TOPIC_ROOM = new Set(['protocol/topics.ts', 'protocol/roles.ts']);

/** SQL stands in a store, a topic in the topic table, and nowhere else. */
export function textRules(file: SourceFile): Violation[] {
  if (isOutside(file.path)) return [];
  const found: Violation[] = [];
  for (const { kind, specifier, offset } of importsOf(file)) {
    if (specifier !== 'better-sqlite3' || kind === 'type' || SQL_ROOM.test(file.path)) continue;
    const message = 'a database is opened in a *-store.ts';
    found.push({ path: file.path, line: file.lineAt(offset), rule: 'sql', message });
  }
  for (const { text, offset } of stringsOf(file)) {
    const line = file.lineAt(offset);
    if (SQL.test(text) && !SQL_ROOM.test(file.path)) {
      found.push({
        path: file.path,
        line,
        rule: 'sql',
        message: 'SQL belongs in a *-store.ts or its migrations',
      });
    }
    if (TOPIC.test(text) && !TOPIC_ROOM.has(file.path)) {
      const message = `"${text}" looks like a topic; build it with protocol/topics.ts`;
      found.push({ path: file.path, line, rule: 'topic', message });
    }
  }
  return found;
}

/** Every string and every piece of a template, but for the specifiers of imports. */
function stringsOf(file: SourceFile): { text: string; offset: number }[] {
  const strings: { text: string; offset: number }[] = [];
  const specifiers = new Set<number>();
  new Visitor({
    ImportDeclaration: (node) => void specifiers.add(node.source.start),
    ExportAllDeclaration: (node) => void specifiers.add(node.source.start),
    ExportNamedDeclaration: (node) => void (node.source !== null && specifiers.add(node.source.start)),
    Literal(node) {
      if (typeof node.value === 'string') strings.push({ text: node.value, offset: node.start });
    },
    TemplateElement(node) {
      strings.push({ text: node.value.cooked ?? node.value.raw, offset: node.start });
    },
  }).visit(file.program);
  return strings.filter(({ offset }) => !specifiers.has(offset));
}
