import type { Agent } from '../../hooks/installers/agent-hooks.ts';
import type { Change } from '../../hooks/installers/installer.ts';
import type { CommandContext } from '../context.ts';
import { AlreadyTold, reportFailure } from '../failure.ts';
import { loadSettings, type Settings } from '../settings.ts';
import { hasColour } from '../terminal/colour.ts';
import { wrap } from '../terminal/wrap.ts';
import { versionOf } from './agent-version.ts';
import { agentsHere, agentsNamed } from './agents-here.ts';
import { askYes, expectTerminal } from './ask.ts';
import { changeText } from './change-text.ts';
import { type Installing, installingOn } from './installing.ts';
import { bundledSender } from './run-sender.ts';
import { selfTest } from './self-test.ts';

export interface InstallOptions {
  readonly yes?: true;
  readonly dryRun?: true;
}

/** Sentences read badly in wider lines. */
const WIDTH = 80;
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
  const done: Agent[] = [];
  for (const agent of agents) {
    try {
      const outcome = await installOne(agent, installing, options, context, settings);
      if (outcome === 'done') done.push(agent);
      if (outcome === 'broken off') throw new AlreadyTold();
    } catch (error) {
      if (error instanceof AlreadyTold) throw error;
      reportFailure(error, context);
      failed = true;
    }
  }
  if (done.length > 0) stdout.write(await selfTest(done, installing, settings, context));
  if (failed) throw new AlreadyTold();
}

/** `done`: its hooks are in place. */
type Outcome = 'done' | 'left' | 'broken off';

async function installOne(
  agent: Agent,
  { machine, installer, sender }: Installing,
  { yes, dryRun }: InstallOptions,
  context: CommandContext,
  settings: Settings,
): Promise<Outcome> {
  const { stdout } = context;
  const name = nameOf(agent, settings);
  const version = versionOf(agent, machine);
  const change: Change = installer.planInstall(agent, version);
  const told = leftOutText(agent, installer.leftOut(agent, version), name);
  if (change.after === change.before) {
    stdout.write(`${name}: its hooks are in place, nothing to do\n${told}`);
    if (!dryRun) sender.install(bundledSender());
    return dryRun ? 'left' : 'done';
  }
  stdout.write(`${name}\n${changeText(change, hasColour(stdout, context.env))}\n${told}`);
  if (dryRun) return 'left';
  const answer = yes ? 'yes' : await askYes(`Change this file for ${name}?`, context);
  if (answer !== 'yes') {
    stdout.write(`${name}: left as it is\n`);
    return answer === 'no' ? 'left' : answer;
  }
  sender.install(bundledSender());
  installer.install(change);
  stdout.write(`${name}: installed\n`);
  if (agent.afterwards !== undefined) stdout.write(indented(agent.afterwards));
  return 'done';
}

/** An older version would refuse events that it doesn't know, so without a version they are left out: what that costs, and how to get them. */
function leftOutText({ program }: Agent, events: readonly string[], name: string): string {
  if (events.length === 0 || program === undefined) return '';
  return indented(
    `${name}'s version can't be told, so what only newer ones know is left out: ${events.join(', ')}. To get it, put "${program}" on PATH and run this again.`,
  );
}

function indented(text: string): string {
  return `${wrap(text, WIDTH, { first: 2, rest: 2 })}\n`;
}

export function nameOf({ provider }: Agent, { registry }: Settings): string {
  return registry.find(provider)?.name ?? provider;
}
