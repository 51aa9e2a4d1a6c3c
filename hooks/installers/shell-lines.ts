/** A program with arguments as one line for a POSIX shell. */
export function posixLine(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ');
}

/**
 * The same on Windows, for an agent that may take cmd or PowerShell. To PowerShell a line that begins with a quote is a text and no command, and cmd takes the outermost
 * quotes of such a line away (`cmd /?`); so quotes begin behind the drive. A folder with `$` or `%` in its name is beyond what both read alike.
 */
export function windowsLine(words: readonly string[]): string {
  return words
    .map((word) => {
      const start = /^(?:[A-Za-z]:)?[\\/]*/.exec(word)?.[0] ?? '';
      return isPlain(word) ? word : `${start}"${word.slice(start.length)}"`;
    })
    .join(' ');
}

/** The same for PowerShell alone, which expands nothing between single quotes; typographic ones count as such (about_Quoting_Rules). */
export function powershellLine(words: readonly string[]): string {
  const quoted = words.map((word) =>
    isPlain(word) ? word : `'${word.replace(/['\u2018-\u201b]/g, '$&$&')}'`,
  );
  return `& ${quoted.join(' ')}`;
}

/** The same on Windows for Git's bash, to which a backslash outside of quotes is none; programs take either kind of slash. */
export function gitBashLine([program, ...rest]: readonly [string, ...string[]]): string {
  return posixLine([program, ...rest].map((word) => word.replaceAll('\\', '/')));
}

/** The same text to cmd and to PowerShell. A comma would make a list of it, and an `@` a variable. */
function isPlain(word: string): boolean {
  return /^[\w.:\\/-]+$/.test(word);
}
