/** One instruction of a Dockerfile, e.g. `COPY` with its arguments. */
export interface Instruction {
  readonly name: string;
  readonly rest: string;
}

export interface Stage {
  readonly from: string;
  /** Its name behind `AS`, in lower case; empty for none. */
  readonly name: string;
  readonly instructions: readonly Instruction[];
}

/** Reads as much of the format as our Dockerfile uses: stages, comments, continued lines. @throws for an instruction before the first FROM */
export function parseDockerfile(text: string): readonly Stage[] {
  const lines = text.split('\n').filter((line) => !/^\s*#/.test(line));
  const stages: (Stage & { readonly instructions: Instruction[] })[] = [];
  for (const line of lines.join('\n').replace(/\\\n/g, ' ').split('\n')) {
    const [, word = '', rest = ''] = /^\s*(\S+)\s+(.*?)\s*$/.exec(line) ?? [];
    const name = word.toUpperCase();
    if (name === '') continue;
    if (name === 'FROM') {
      const [from = '', , as = ''] = rest.split(/\s+/);
      stages.push({ from, name: as.toLowerCase(), instructions: [] });
    } else if (stages.length === 0) {
      throw new Error(`${name} before FROM`);
    } else {
      stages.at(-1)?.instructions.push({ name, rest });
    }
  }
  return stages;
}

/** The arguments of the exec form, `["node", "x.js"]`. @throws for the shell form, under which our program would not be the one that gets the signals */
export function execForm(text: string): readonly [string, ...string[]] {
  const value: unknown = JSON.parse(text);
  if (!Array.isArray(value) || value.length === 0) throw new Error(`not in exec form: ${text}`);
  return value as [string, ...string[]];
}
