/** What polybar draws of a line (tags/parser.cpp): text, and tags apart. */
export interface PolybarShows {
  readonly text: string;
  /** Contents of the tags, in order. */
  readonly tags: readonly string[];
}

export function readPolybar(line: string): PolybarShows {
  const tags: string[] = [];
  let text = '';
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === '%' && line[at + 1] === '{') {
      const end = line.indexOf('}', at);
      if (end === -1) throw new Error(`a tag without an end: ${line}`);
      tags.push(line.slice(at + 2, end).trim());
      at = end;
    } else text += line[at];
  }
  return { text, tags };
}
