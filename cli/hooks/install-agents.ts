import type { Agent } from '../../hooks/installers/agent-hooks.ts';
import type { Change } from '../../hooks/installers/installer.ts';
import type { CommandContext } from '../context.ts';
import { AlreadyTold, reportFailure } from '../failure.ts';
import type { Settings } from '../settings.ts';
import { hasColour } from '../terminal/colour.ts';
import { wrap } from '../terminal/wrap.ts';
import { versionOf } from './agent-version.ts';
import { askYes } from './ask.ts';
import { changeText } from './change-text.ts';
import type { Installing } from './installing.ts';
import { bundledSender } from './run-sender.ts';

/** How far nobody is asked, and nothing is changed. */
export interface Consent {
  readonly yes?: true;
  readonly dryRun?: true;
}

export interface InstalledAgents {
  /** Those whose hooks are in place. */
  readonly done: readonly Agent[];
  /** At least one could not be installed, and why has been told. */
  readonly failed: boolean;
}

/** Sentences read badly in wider lines. */
const WIDTH = 80;

/**
 * Installs one agent after the other, asking for each. One whose file can't be understood is left as it is; the others go on.
 * @throws AlreadyTold when the user breaks the questions off
 */
export async function installAll(
  agents: readonly Agent[],
  installing: Installing,
  consent: Consent,
  context: CommandContext,
  settings: Settings,
): Promise<InstalledAgents> {
  let failed = false;
  const done: Agent[] = [];
  for (const agent of agents) {
    try {
      const outcome = await installOne(agent, installing, consent, context, settings);
      if (outcome === 'done') done.push(agent);
      if (outcome === 'broken off') throw new AlreadyTold();
    } catch (error) {
      if (error instanceof AlreadyTold) throw error;
      reportFailure(error, context);
      failed = true;
    }
  }
  return { done, failed };
}

/** `done`: its hooks are in place. */
type Outcome = 'done' | 'left' | 'broken off';

async function installOne(
  agent: Agent,
  { machine, installer, sender }: Installing,
  { yes, dryRun }: Consent,
  context: CommandContext,
  settings: Settings,
): Promise<Outcome> {
  const { stdout } = context;
  const name = nameOf(agent, settings);
  const version = versionOf(agent, machine);
  const what = 'record' in agent ? 'its notify is' : 'its hooks are';
  const change: Change = installer.planInstall(agent, version);
  const told = leftOutText(agent, installer.leftOut(agent, version), name);
  if (change.after === change.before) {
    stdout.write(`${name}: ${what} in place, nothing to do\n${told}`);
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
