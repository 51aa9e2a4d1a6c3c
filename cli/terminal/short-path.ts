import { sep } from 'node:path';

/** A path as people write it: `~` for their home folder. */
export function shortPath(path: string, home: string): string {
  return path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
}
