import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** All that is below a folder, a line each, in order: path, kind, mode, and what a file or a link holds. */
export function listing(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const path = join(folder, name);
      const stat = lstatSync(path);
      const mode = (stat.mode & 0o7777).toString(8);
      if (stat.isSymbolicLink()) return `${name} link ${readlinkSync(path)}`;
      return stat.isFile() ? `${name} ${mode} ${readFileSync(path, 'latin1')}` : `${name} ${mode}`;
    });
}
