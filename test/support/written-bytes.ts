import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Every byte that lies in a folder's files now, by path, sockets and the like left out. */
export function writtenBytes(folder: string): Map<string, Buffer> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return new Map(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path, readFileSync(path)];
    }),
  );
}

/** Paths of the files that hold a text, as UTF-8 or UTF-16, as it is or in base64. */
export function filesWith(folder: string, text: string): string[] {
  const forms = [
    Buffer.from(text),
    Buffer.from(text, 'utf16le'),
    Buffer.from(Buffer.from(text).toString('base64')),
  ];
  return [...writtenBytes(folder)]
    .filter(([, bytes]) => forms.some((form) => bytes.includes(form)))
    .map(([path]) => path);
}
