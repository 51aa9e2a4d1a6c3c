import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { Visitor } from 'oxc-parser';
import type { SourceFile } from './source-file.ts';

/** One reference of a file to a module, whatever its form. */
export interface ImportSite {
  readonly offset: number;
  readonly kind: 'static' | 'type' | 'dynamic' | 'require';
  /** Undefined when a dynamic import computes its specifier. */
  readonly specifier: string | undefined;
}

/** Where a specifier leads. */
export type Target =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'node' }
  | { readonly kind: 'package'; readonly name: string };

/** Every import, re-export, dynamic import, `import('x').T` and `require` of a file. */
export function importsOf(file: SourceFile): ImportSite[] {
  const sites: ImportSite[] = [];
  new Visitor({
    ImportDeclaration(node) {
      const named = node.specifiers;
      const typeOnly =
        node.importKind === 'type' ||
        (named.length > 0 &&
          named.every((each) => each.type === 'ImportSpecifier' && each.importKind === 'type'));
      sites.push({ offset: node.start, kind: typeOnly ? 'type' : 'static', specifier: node.source.value });
    },
    ExportNamedDeclaration(node) {
      if (node.source === null) return;
      const kind = node.exportKind === 'type' ? 'type' : 'static';
      sites.push({ offset: node.start, kind, specifier: node.source.value });
    },
    ExportAllDeclaration(node) {
      const kind = node.exportKind === 'type' ? 'type' : 'static';
      sites.push({ offset: node.start, kind, specifier: node.source.value });
    },
    ImportExpression(node) {
      sites.push({ offset: node.start, kind: 'dynamic', specifier: literal(node.source) });
    },
    TSImportType(node) {
      sites.push({ offset: node.start, kind: 'type', specifier: node.source.value });
    },
    CallExpression(node) {
      if (node.callee.type !== 'Identifier' || node.callee.name !== 'require') return;
      sites.push({ offset: node.start, kind: 'require', specifier: literal(node.arguments[0]) });
    },
  }).visit(file.program);
  return sites;
}

/** Resolves a specifier as written in a file; paths come out from the root. */
export function targetOf(from: string, specifier: string): Target {
  if (specifier.startsWith('.')) {
    return { kind: 'file', path: posix.normalize(posix.join(posix.dirname(from), specifier)) };
  }
  if (isBuiltin(specifier)) return { kind: 'node' };
  const [scope = '', name = ''] = specifier.split('/');
  return { kind: 'package', name: scope.startsWith('@') ? `${scope}/${name}` : scope };
}

function literal(node: { readonly type: string; readonly value?: unknown } | undefined): string | undefined {
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}
