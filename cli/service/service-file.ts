import { type Paths, resolvePaths } from '../../runtime/paths.ts';
import type { CommandContext } from '../context.ts';

/** What a service's file is made of. */
export interface ServiceParts {
  /** The program and its arguments; paths are absolute. */
  readonly words: readonly string[];
  /** Variables of its environment. */
  readonly variables: readonly (readonly [name: string, value: string])[];
  /** Absolute path of the file that takes what the hub prints, where its manager keeps no journal. */
  readonly log: string;
}

/** Stands in each file of ours: what is without it is somebody else's. */
export const MARK = 'Written by "signalbox service install".';

/**
 * The variables that say where the hub's folders are, as far as they change anything: the service manager's own environment knows nothing of the user's shell, and a hub on
 * another folder would hear no hook.
 */
export function folderVariables(
  { env, platform, home }: Pick<CommandContext, 'env' | 'platform' | 'home'>,
  paths: Pick<Paths, 'data'>,
): ServiceParts['variables'] {
  // The resolved one: a relative path would start elsewhere there.
  if ((env['SIGNALBOX_HOME'] ?? '') !== '') return [['SIGNALBOX_HOME', paths.data]];
  const plain = resolvePaths({ env: {}, platform, home });
  return ['XDG_DATA_HOME', 'XDG_CONFIG_HOME'].flatMap((name) => {
    const value = env[name] ?? '';
    const moved = resolvePaths({ env: { [name]: value }, platform, home });
    const isSame = moved.data === plain.data && moved.config === plain.config;
    return isSame ? [] : [[name, value] as const];
  });
}
