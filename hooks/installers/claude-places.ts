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

/** Names of our plugin that Claude Code runs: installed, and switched on, where one file's word stands above that of the one before it. @param folder the project's */
export function enabledPlugins(machine: Machine, folder: string): readonly string[] {
  const places = claudePlaces(machine, folder);
  const merged: Record<string, unknown> = Object.assign({}, ...places.map(({ plugins }) => plugins));
  const ours = Object.keys(merged).filter((name) => name.split('@')[0] === PLUGIN && merged[name] === true);
  const installed = ours.length === 0 ? undefined : installedPlugins(machine);
  return installed === undefined ? ours : ours.filter((name) => Object.hasOwn(installed, name));
}

/** Claude Code's own list, by `name@marketplace` (seen with 2.1.332); undefined where there is none that can be understood: then the settings are believed. */
function installedPlugins(machine: Machine): object | undefined {
  try {
    const text = readSettings(join(claude.folder(machine), 'plugins', 'installed_plugins.json'));
    const { plugins } = JSON.parse(text ?? '{}') as { plugins?: unknown };
    return typeof plugins === 'object' && plugins !== null ? plugins : undefined;
  } catch {
    return undefined;
  }
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
