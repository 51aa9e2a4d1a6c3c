import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'smol-toml';

/**
 * The events of a hooks.json whose hooks Codex has been told to trust: for each it writes a table `hooks.state."<file>:<event>:<group>:<handler>"` with a hash into the user's
 * config.toml. How it makes the hash is not documented, so this says that a hook was trusted once; its text may have changed since.
 * @param file absolute path of hooks.json
 * @returns names of events in snake case, as Codex writes them; undefined when config.toml can't be understood
 */
export function trustedEvents(file: string): ReadonlySet<string> | undefined {
  let state: unknown;
  try {
    const { hooks } = parse(readFileSync(join(dirname(file), 'config.toml'), 'utf8'));
    state = (hooks as Record<string, unknown> | undefined)?.['state'];
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? new Set() : undefined;
  }
  const keys = Object.keys(typeof state === 'object' && state !== null ? state : {});
  return new Set(
    keys
      .filter((key) => key.startsWith(`${file}:`))
      .map((key) => key.slice(file.length + 1).split(':')[0] ?? ''),
  );
}

/** `PreToolUse` as Codex writes it there: `pre_tool_use`. */
export function snakeCase(event: string): string {
  return event.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
}
