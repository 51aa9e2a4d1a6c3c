import { existsSync } from 'node:fs';
import type { Agent, Machine } from '../../hooks/installers/agent-hooks.ts';
import { AGENTS } from '../../hooks/installers/agents.ts';
import { SignalboxError } from '../../protocol/errors.ts';
import type { Settings } from '../settings.ts';
import { providerNamed } from '../settings.ts';

/** The agents whose folder of settings is on this machine. */
export function agentsHere(machine: Machine): readonly Agent[] {
  return AGENTS.filter((agent) => existsSync(agent.folder(machine)));
}

/** The agents that are named, once each. @throws SignalboxError `unknown_provider`, `bad_usage` for one that has no hooks of ours */
export function agentsNamed(names: readonly string[], settings: Settings): readonly Agent[] {
  const wanted = new Set(names.map((name) => providerNamed(name, settings)));
  return [...wanted].map((slug) => {
    const agent = AGENTS.find(({ provider }) => provider === slug);
    if (agent !== undefined) return agent;
    const known = AGENTS.map(({ provider }) => provider).join(', ');
    const reason = `There is nothing to install for ${slug}: its events come by "signalbox hook ${slug}". Hooks can be installed for ${known}.`;
    throw new SignalboxError('bad_usage', { reason, help: 'signalbox help hooks' });
  });
}
