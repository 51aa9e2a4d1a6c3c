import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { AgentHooks, Machine } from '../../hooks/installers/agent-hooks.ts';
import { AGENTS } from '../../hooks/installers/agents.ts';
import { SignalboxError } from '../../protocol/errors.ts';
import type { Settings } from '../settings.ts';
import { providerNamed } from '../settings.ts';

/** An agent that may take a while to start has this long to tell its version [ms]. */
const VERSION_WITHIN = 5_000;

/** The agents whose folder of settings is on this machine. */
export function agentsHere(machine: Machine): readonly AgentHooks[] {
  return AGENTS.filter((agent) => existsSync(agent.folder(machine)));
}

/** The agents that are named, once each. @throws SignalboxError `unknown_provider`, `bad_usage` for one that has no hooks of ours */
export function agentsNamed(names: readonly string[], settings: Settings): readonly AgentHooks[] {
  const wanted = new Set(names.map((name) => providerNamed(name, settings)));
  return [...wanted].map((slug) => {
    const agent = AGENTS.find(({ provider }) => provider === slug);
    if (agent !== undefined) return agent;
    const known = AGENTS.map(({ provider }) => provider).join(', ');
    const reason = `There is nothing to install for ${slug}: its events come by "signalbox hook ${slug}". Hooks can be installed for ${known}.`;
    throw new SignalboxError('bad_usage', { reason, help: 'signalbox help hooks' });
  });
}

/** The version that an agent tells of itself, e.g. `2.1.332`; undefined when it isn't on PATH or doesn't say. */
export function versionOf({ program }: AgentHooks, { env, platform }: Machine): string | undefined {
  if (program === undefined) return undefined;
  const path = findProgram(program, env['PATH'] ?? '', platform);
  if (path === undefined) return undefined;
  try {
    const said = execFileSync(path, ['--version'], {
      encoding: 'utf8',
      timeout: VERSION_WITHIN,
      stdio: ['ignore', 'pipe', 'ignore'],
      // A shim of npm's is a script for the command processor.
      shell: platform === 'win32',
    });
    return /\d+(?:\.\d+)+/.exec(said)?.[0];
  } catch {
    return undefined;
  }
}

function findProgram(name: string, path: string, platform: NodeJS.Platform): string | undefined {
  const endings = platform === 'win32' ? ['.exe', '.cmd'] : [''];
  return path
    .split(delimiter)
    .flatMap((folder) => endings.map((ending) => join(folder, name + ending)))
    .find((file) => existsSync(file));
}
