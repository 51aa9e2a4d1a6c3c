import { importsOf, targetOf } from './imports.ts';
import type { SourceFile, Violation } from './source-file.ts';

/** What the hooks' sender bundles: it starts on every tool call of an agent, and zod alone would double its start. */
const ENTRIES = /^(?:hooks\/(?!installers\/).*|protocol\/(?:adapters\/.*|events))\.ts$/;

/** Neither the sender, the adapters, the canonical events, nor anything they import at run time may import zod. */
export function senderRule(files: readonly SourceFile[]): Violation[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const found: Violation[] = [];
  const seen = new Set<string>();
  const visit = (file: SourceFile): void => {
    if (seen.has(file.path)) return;
    seen.add(file.path);
    for (const { kind, specifier, offset } of importsOf(file)) {
      if (kind === 'type' || specifier === undefined) continue;
      const target = targetOf(file.path, specifier);
      if (target.kind === 'package') {
        const message = `reached from the sender, which carries no package: "${target.name}"`;
        found.push({ path: file.path, line: file.lineAt(offset), rule: 'sender', message });
      }
      const next = target.kind === 'file' ? byPath.get(target.path) : undefined;
      if (next !== undefined) visit(next);
    }
  };
  for (const file of files) if (ENTRIES.test(file.path)) visit(file);
  return found;
}
