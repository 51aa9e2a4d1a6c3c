import { text } from './clean-text.ts';

/** What of the settings decides a project's name. */
export interface NameRules {
  /** Folders that are cut off the front of a path before it is read. */
  readonly roots: readonly string[];
  /** Names the user has given, by path or by glob (`*` within a folder's name, `**` across). */
  readonly names: Readonly<Record<string, string>>;
}

/** A project's name by itself, and with its parent in front. Equal when it has no parent, or the user has named it. */
export interface ProjectName {
  readonly short: string;
  readonly long: string;
}

const LONGEST = 40;

/** Makes the namer of these rules: a path is named once, then remembered by its caller (spec: state, section 2). */
export function projectNamer(rules: NameRules): (cwd: string | undefined, sessionId: string) => ProjectName {
  const given = Object.entries(rules.names).map(([pattern, name]) => ({
    matches: globMatcher(pattern),
    name,
  }));
  const roots = rules.roots.map(parts).toSorted((a, b) => b.length - a.length);
  return (cwd, sessionId) => {
    if (cwd === undefined) return same(text(sessionId, 6) ?? '?');
    const whole = parts(cwd);
    const named = given.find(({ matches }) => matches(whole.join('/')));
    if (named !== undefined) return same(cut(named.name));
    const root = roots.find(
      (own) => own.length < whole.length && own.every((part, index) => part === whole[index]),
    );
    const left = whole.slice(root?.length ?? 0);
    const last = left.at(-1);
    if (last === undefined) return same(cut(cwd));
    const parent = left.at(-2);
    return parent === undefined ? same(cut(last)) : { short: cut(last), long: cut(`${parent}/${last}`) };
  };
}

function same(name: string): ProjectName {
  return { short: name, long: name };
}

function cut(name: string): string {
  return text(name, LONGEST) ?? '?';
}

/** The folders of a POSIX or Windows path. Only a Windows path has backslashes as separators. */
function parts(path: string): string[] {
  const windows = /^[A-Za-z]:[\\/]|^\\\\/.test(path);
  return path.split(windows ? /[\\/]+/ : /\/+/).filter((part) => part !== '' && part !== '.');
}

/** Tests a path, or a name with `/` in it, against a glob: `*` within a part, `**` across. */
export function globMatcher(pattern: string): (path: string) => boolean {
  const source = parts(pattern)
    .join('/')
    .split(/(\*\*|\*)/)
    .map((piece) =>
      piece === '**' ? '.*' : piece === '*' ? '[^/]*' : piece.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'),
    )
    .join('');
  const regex = new RegExp(`^${source}$`, 'u');
  return (path) => regex.test(path);
}
