import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { SignalboxError } from '../protocol/errors.ts';
import { createProviderRegistry, type ProviderRegistry } from '../protocol/providers.ts';
import { loadConfig, type LoadedConfig } from '../runtime/config/load.ts';
import { type Paths, resolvePaths } from '../runtime/paths.ts';
import { plainText } from '../runtime/plain-text.ts';
import type { CommandContext } from './context.ts';
import { flagSettings, type SettingOptions } from './options.ts';

/** What a command knows before it talks to anybody. */
export interface Settings extends LoadedConfig {
  readonly paths: Paths;
  readonly registry: ProviderRegistry;
}

/**
 * Reads settings and folders, and warns on stderr.
 * @throws SignalboxError `config_unreadable` also for a named file that isn't there, those of `loadConfig`
 */
export function loadSettings(context: CommandContext, options: SettingOptions): Settings {
  const { env, stderr } = context;
  const paths = pathsFor(context, options);
  // The usual file may be missing; one that somebody has named is meant.
  if (options.config !== undefined && !existsSync(paths.configFile))
    throw new SignalboxError('config_unreadable', {
      path: paths.configFile,
      reason: 'there is no such file',
    });
  const loaded = loadConfig({ file: paths.configFile, env, flags: flagSettings(options) });
  for (const warning of loaded.warnings) stderr.write(`signalbox: ${plainText(warning)}\n`);
  const added = Object.entries(loaded.config.providers).map(([slug, { name }]) => ({ slug, name }));
  return { ...loaded, paths, registry: createProviderRegistry(added) };
}

/** Where everything lies, with the settings where they were asked for. */
export function pathsFor(context: CommandContext, { config }: SettingOptions): Paths {
  const { env, platform, home, cwd } = context;
  const found = resolvePaths({ env, platform, home });
  return config === undefined ? found : { ...found, configFile: resolve(cwd, config) };
}

/** The slug of a provider that somebody named. @throws SignalboxError `unknown_provider` */
export function providerNamed(text: string, { registry }: Settings): string {
  const provider = registry.find(text);
  if (provider !== undefined) return provider.slug;
  const known = registry.list.map(({ slug }) => slug).join(', ');
  throw new SignalboxError('unknown_provider', { provider: text.slice(0, 40), known });
}
