import { join } from 'node:path';
import type { AdaptContext } from '../../protocol/adapters/adapt.ts';
import type { Hasher } from '../../protocol/events.ts';
import type { Timeouts } from '../../protocol/expiry.ts';
import { createProviderRegistry, type ProviderRegistry } from '../../protocol/providers.ts';
import type { TableOptions } from '../../protocol/table-changes.ts';
import type { Config } from '../../runtime/config/schema.ts';

/** The providers that the settings add to the built-in ones. */
export function registryOf(config: Config): ProviderRegistry {
  return createProviderRegistry(Object.entries(config.providers).map(([slug, { name }]) => ({ slug, name })));
}

/** What adapters need to know. */
export function adaptingOf(config: Config, registry: ProviderRegistry, hasher: Hasher): AdaptContext {
  return {
    registry,
    hasher,
    host: config.host,
    questions: config.state.questions,
    titles: config.privacy.titles,
  };
}

/** What the session table needs to know. @param home the user's home folder, which `~` stands for */
export function tableOptionsOf(
  config: Config,
  registry: ProviderRegistry,
  hasher: Hasher,
  home: string,
): TableOptions {
  const expand = (path: string): string =>
    path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path;
  return {
    registry,
    timeouts: timeoutsOf(config),
    rules: { background: config.state.background },
    names: {
      roots: config.project.roots.map(expand),
      names: Object.fromEntries(
        Object.entries(config.project.names).map(([path, name]) => [expand(path), name]),
      ),
    },
    sha256: hasher.sha256,
    shown: Object.keys(config.providers),
  };
}

/** Settings are in seconds, rules in milliseconds. */
function timeoutsOf(config: Config): Timeouts {
  const { needs_user, error, done, running, unknown, idle, scheduled, completed } = config.state.timeouts;
  const ms = (seconds: number): number => Math.round(seconds * 1000);
  return {
    needs_user: ms(needs_user),
    error: ms(error),
    done: ms(done),
    running: ms(running),
    unknown: ms(unknown),
    idle: ms(idle),
    scheduled: ms(scheduled),
    completed: ms(completed),
  };
}
