import { PLACES } from '../../hooks/installers/agents.ts';
import { enabledPlugins } from '../../hooks/installers/claude-places.ts';
import type { Installer } from '../../hooks/installers/installer.ts';
import { SignalboxError } from '../../protocol/errors.ts';
import type { CommandContext } from '../context.ts';
import { AlreadyTold, reportFailure } from '../failure.ts';
import { loadSettings } from '../settings.ts';
import { hasColour } from '../terminal/colour.ts';
import { agentsNamed } from './agents-here.ts';
import { askYes, expectTerminal } from './ask.ts';
import { changeText } from './change-text.ts';
import { installingOn } from './installing.ts';
import { type Consent, nameOf } from './install-agents.ts';

/**
 * `signalbox hooks uninstall`: takes our hooks out of each agent's file. A file that nobody has changed since becomes, byte for byte, what it was. The sender goes with the last of them.
 * @throws SignalboxError `unknown_provider`, `bad_usage`; AlreadyTold when one of the agents failed
 */
export async function runUninstall(
  names: readonly string[],
  { yes, dryRun }: Consent,
  context: CommandContext,
): Promise<void> {
  const settings = loadSettings(context, {});
  const { installer, sender, machine } = installingOn(context, settings);
  const { stdout } = context;
  if (!yes && !dryRun) expectTerminal(context, 'signalbox help hooks');
  let failed = false;
  let found = 0;
  let left = 0;
  const named = new Set(agentsNamed(names, settings).map(({ provider }) => provider));
  for (const agent of PLACES.filter(({ provider }) => names.length === 0 || named.has(provider))) {
    const name = nameOf(agent, settings);
    try {
      if (installer.installed(agent).length === 0) {
        if (names.length > 0 && !('record' in agent))
          stdout.write(`${name}: no hooks of ours, nothing to do\n`);
        continue;
      }
      found += 1;
      const change = installer.planUninstall(agent);
      stdout.write(`${name}\n${changeText(change, hasColour(stdout, context.env))}\n`);
      if (dryRun) continue;
      const answer = yes ? 'yes' : await askYes(`Change this file for ${name}?`, context);
      if (answer !== 'yes') {
        stdout.write(`${name}: left as it is\n`);
        left += 1;
        if (answer === 'broken off') throw new AlreadyTold();
        continue;
      }
      installer.uninstall(change);
      stdout.write(`${name}: uninstalled\n`);
    } catch (error) {
      if (error instanceof AlreadyTold) throw error;
      reportFailure(error, context);
      failed = true;
    }
  }
  if (found === 0 && names.length === 0 && !failed) stdout.write('No hooks of ours are installed.\n');
  if (!dryRun && !failed && left === 0 && !isInUse(installer)) {
    const [plugin] = enabledPlugins(machine, context.cwd);
    if (plugin !== undefined) stdout.write(`The sender stays: Claude's plugin ${plugin} runs it.\n`);
    else if (sender.uninstall()) stdout.write('The sender is gone too.\n');
  }
  if (failed) throw new AlreadyTold();
}

/** Whether the sender may still be run by an agent. */
function isInUse(installer: Installer): boolean {
  return PLACES.some((agent) => {
    try {
      return installer.installed(agent).length > 0;
    } catch (error) {
      if (!(error instanceof SignalboxError)) throw error;
      // Nobody can tell what is in that file.
      return true;
    }
  });
}
