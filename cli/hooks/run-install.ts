import type { AgentHooks } from '../../hooks/installers/agent-hooks.ts';
import type { Change } from '../../hooks/installers/installer.ts';
import type { CommandContext } from '../context.ts';
import { AlreadyTold, reportFailure } from '../failure.ts';
import { loadSettings, type Settings } from '../settings.ts';
import { hasColour } from '../terminal/colour.ts';
import { agentsHere, agentsNamed, versionOf } from './agents-here.ts';
import { askYes, expectTerminal } from './ask.ts';
import { changeText } from './change-text.ts';
import { type Installing, installingOn } from './installing.ts';
import { bundledSender } from './run-sender.ts';
import { selfTest } from './self-test.ts';

export interface InstallOptions {
  readonly yes?: true;
  readonly dryRun?: true;
}

const HELP = 'signalbox help hooks';

/**
 * `signalbox hooks install`: shows what would change in each agent's file, asks, does it, and sends one event through the sender. An agent whose file can't be understood is left as it is;
 * the others go on.
 * @throws SignalboxError `unknown_provider`, `bad_usage`, `folder_unusable`; AlreadyTold when one of the agents failed
 */
export async function runInstall(
  names: readonly string[],
  options: InstallOptions,
  context: CommandContext,
): Promise<void> {
  const settings = loadSettings(context, {});
  const installing = installingOn(context, settings);
  const agents = names.length > 0 ? agentsNamed(names, settings) : agentsHere(installing.machine);
  const { stdout } = context;
  if (!options.yes && !options.dryRun) expectTerminal(context, HELP);
  if (agents.length === 0) {
    stdout.write(
      'No agent was found on this machine. Name the one that you mean, e.g. signalbox hooks install claude\n',
    );
    return;
  }
  let failed = false;
  const done: AgentHooks[] = [];
  for (const agent of agents) {
    try {
      if (await installOne(agent, installing, options, context, settings)) done.push(agent);
    } catch (error) {
      reportFailure(error, context);
      failed = true;
    }
  }
  if (done.length > 0) stdout.write(await selfTest(done, installing, settings, context));
  if (failed) throw new AlreadyTold();
}

/** @returns whether its hooks are in place */
async function installOne(
  agent: AgentHooks,
  { machine, installer, sender }: Installing,
  { yes, dryRun }: InstallOptions,
  context: CommandContext,
  settings: Settings,
): Promise<boolean> {
  const { stdout } = context;
  const name = nameOf(agent, settings);
  const change: Change = installer.planInstall(agent, versionOf(agent, machine));
  if (change.after === change.before) {
    stdout.write(`${name}: its hooks are in place, nothing to do\n`);
    if (!dryRun) sender.install(bundledSender());
    return dryRun === undefined;
  }
  stdout.write(`${name}\n${changeText(change, hasColour(stdout, context.env))}\n`);
  if (dryRun) return false;
  if (!yes && !(await askYes(`Change this file for ${name}?`, context))) {
    stdout.write(`${name}: left as it is\n`);
    return false;
  }
  sender.install(bundledSender());
  installer.install(change);
  stdout.write(`${name}: installed\n`);
  if (agent.afterwards !== undefined) stdout.write(`  ${agent.afterwards}\n`);
  return true;
}

export function nameOf({ provider }: AgentHooks, { registry }: Settings): string {
  return registry.find(provider)?.name ?? provider;
}
