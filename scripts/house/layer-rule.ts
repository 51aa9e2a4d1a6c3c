import { type ImportSite, importsOf, targetOf } from './imports.ts';
import { isOutside, type Layer, layerOf } from './layers.ts';
import type { SourceFile, Violation } from './source-file.ts';

/**
 * A file imports only what its floor may: folders and packages by the table of layers, in every form an import can have.
 * The compiler stops static imports between folders; this closes packages, dynamic imports and triple-slash references too.
 */
export function layerRule(file: SourceFile): Violation[] {
  if (isOutside(file.path)) return [];
  const layer = layerOf(file.path);
  if (layer === undefined) {
    return [violation(file, 0, 'this folder has no row in scripts/house/layers.ts')];
  }
  const found = importsOf(file).flatMap((site) => {
    const reason = refusal(layer, file.path, site);
    return reason === undefined ? [] : [violation(file, site.offset, reason)];
  });
  for (const comment of file.comments) {
    if (comment.type === 'Line' && /^\/\s*<(?:reference|amd)/.test(comment.value)) {
      found.push(
        violation(file, comment.start, 'a triple-slash reference goes round the layers; import instead'),
      );
    }
  }
  return found;
}

function refusal(layer: Layer, path: string, { kind, specifier }: ImportSite): string | undefined {
  if (kind === 'require') return 'require() goes round the layers; import instead';
  if (specifier === undefined) return 'an import whose target is computed cannot be checked';
  const target = targetOf(path, specifier);
  if (target.kind === 'node')
    return layer.node ? undefined : `${layer.folder}/ must not import Node's "${specifier}"`;
  if (target.kind === 'package') {
    if (layer.packages.includes(target.name)) return undefined;
    return `${layer.folder}/ must not import the package "${target.name}"`;
  }
  const other = layerOf(target.path);
  if (other === layer) return undefined;
  if (other !== undefined && layer.folders.includes(other.folder)) return undefined;
  return `${layer.folder}/ must not import ${target.path}`;
}

function violation(file: SourceFile, offset: number, message: string): Violation {
  return { path: file.path, line: file.lineAt(offset), rule: 'layers', message };
}
