import type { Agent } from '../../hooks/installers/agent-hooks.ts';
import { versionOf } from '../hooks/agent-version.ts';
import { nameOf } from '../hooks/install-agents.ts';
import type { Installing } from '../hooks/installing.ts';
import type { Settings } from '../settings.ts';

/** The agents of this machine, a line each: name, version, what of ours is in place. */
export function agentList(agents: readonly Agent[], installing: Installing, settings: Settings): string {
  const rows = agents.map((agent) => {
    const version = versionOf(agent, installing.machine);
    return {
      name: nameOf(agent, settings),
      version: version ?? '',
      hooks: hooksWords(agent, version, installing),
    };
  });
  const width = (key: 'name' | 'version'): number => Math.max(...rows.map((row) => row[key].length));
  return rows
    .map(
      ({ name, version, hooks }) =>
        `  ${name.padEnd(width('name'))}  ${version.padEnd(width('version'))}  ${hooks}\n`,
    )
    .join('');
}

function hooksWords(agent: Agent, version: string | undefined, { installer }: Installing): string {
  try {
    if (installer.installed(agent).length === 0) return 'no hooks yet';
    const { before, after } = installer.planInstall(agent, version);
    return before === after ? 'hooks in place' : 'hooks to be brought up to date';
  } catch {
    return "its settings can't be understood";
  }
}
