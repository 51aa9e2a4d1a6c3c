import { join } from 'node:path';
import { getNodeValue } from 'jsonc-parser';
import { SignalboxError } from '../../protocol/errors.ts';
import type { Machine } from './agent-hooks.ts';
import { claude } from './agents/claude.ts';
import { type Hook, ownHooks } from './hook-file.ts';
import { isOurs } from './installer.ts';
import { parseSettings, valueOf } from './json-tree.ts';
import { readSettings } from './settings-file.ts';

/** What the plugin is called, before the `@` and its marketplace. */
const PLUGIN = 'signalbox';

/** One of the settings files that Claude Code puts together. */
export interface ClaudePlace {
  readonly path: string;
  /** Those of ours. */
  readonly hooks: readonly Hook[];
  /** `enabledPlugins`: by `name@marketplace`, whether it is switched on. */
  readonly plugins: Readonly<Record<string, unknown>>;
}

/**
 * The user's settings of Claude Code and those of a project, the one that counts least first. What can't be read or understood is left out: other checks tell of it.
 * @param folder the project's
 */
export function claudePlaces(machine: Machine, folder: string): readonly ClaudePlace[] {
  const paths = [
    claude.file(machine),
    join(folder, '.claude', 'settings.json'),
    join(folder, '.claude', 'settings.local.json'),
  ];
  return [...new Set(paths)].flatMap((path) => {
    try {
      return placeAt(path);
    } catch (error) {
      if (error instanceof SignalboxError) return [];
      throw error;
    }
  });
}

/** Names of our plugin that are switched on: one file's word stands above that of the one before it. */
export function enabledPlugins(places: readonly ClaudePlace[]): readonly string[] {
  const merged: Record<string, unknown> = Object.assign({}, ...places.map(({ plugins }) => plugins));
  return Object.keys(merged).filter((name) => name.split('@')[0] === PLUGIN && merged[name] === true);
}

function placeAt(path: string): ClaudePlace[] {
  const text = readSettings(path)?.replace(/^\uFEFF/, '');
  if (text === undefined) return [];
  const { form } = claude;
  const root = parseSettings(text, form, path);
  const listed = root && valueOf(root, 'enabledPlugins', text, path);
  const plugins = listed?.type === 'object' ? (getNodeValue(listed) as Record<string, unknown>) : {};
  return [{ path, plugins, hooks: ownHooks({ text, path, form, isOurs }) }];
}
