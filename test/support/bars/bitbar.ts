/** Lines of a menu as the three hosts of BitBar's format take them apart, each in its own way. */
export interface BitBarLine {
  /** What is drawn. */
  readonly text: string;
  /** 0: in the menu itself. */
  readonly level: number;
  /** What a click runs; undefined: nothing. */
  readonly command?: readonly string[];
  readonly colour?: string;
}

/** Header lines stand in the bar; more than one of them cycle. */
export interface BitBarMenu {
  readonly header: readonly BitBarLine[];
  readonly body: readonly (BitBarLine | 'separator')[];
}

/** Splits at the first separator and takes `--` off for each level of submenu. */
export function menuOfLines(
  lines: readonly string[],
  read: (line: string) => { text: string } & Omit<BitBarLine, 'text' | 'level'>,
): BitBarMenu {
  const header: BitBarLine[] = [];
  const body: (BitBarLine | 'separator')[] = [];
  let isBody = false;
  for (const line of lines.filter((each) => each !== '')) {
    const { text: whole, ...rest } = read(line);
    const level = isBody ? Math.floor((/^-*/.exec(whole)?.[0].length ?? 0) / 2) : 0;
    const text = whole.slice(level * 2).trim();
    if (/^-{3,}$/.test(whole.trim())) {
      if (isBody) body.push('separator');
      isBody = true;
    } else if (isBody) body.push({ text, level, ...rest });
    else header.push({ text, level, ...rest });
  }
  return { header, body };
}
