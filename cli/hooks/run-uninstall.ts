import { AGENTS } from '../../hooks/installers/agents.ts';
import type { CommandContext } from '../context.ts';
import { AlreadyTold, reportFailure } from '../failure.ts';
import { loadSettings } from '../settings.ts';
import { hasColour } from '../terminal/colour.ts';
import { agentsNamed } from './agents-here.ts';
import { askYes, expectTerminal } from './ask.ts';
import { changeText } from './change-text.ts';
import { installingOn } from './installing.ts';
import { type InstallOptions, nameOf } from './run-install.ts';

/**
 * `signalbox hooks uninstall`: takes our hooks out of each agent's file. A file that nobody has changed since becomes, byte for byte, what it was. The sender goes with the last of them.
 * @throws SignalboxError `unknown_provider`, `bad_usage`; AlreadyTold when one of the agents failed
 */
export async function runUninstall(
  names: readonly string[],
  { yes, dryRun }: InstallOptions,
  context: CommandContext,
): Promise<void> {
  const settings = loadSettings(context, {});
  const { installer, sender } = installingOn(context, settings);
  const { stdout } = context;
  if (!yes && !dryRun) expectTerminal(context, 'signalbox help hooks');
  let failed = false;
  let left = 0;
  for (const agent of names.length > 0 ? agentsNamed(names, settings) : AGENTS) {
    const name = nameOf(agent, settings);
    try {
      if (installer.installed(agent).length === 0) {
        if (names.length > 0) stdout.write(`${name}: no hooks of ours, nothing to do\n`);
        continue;
      }
      const change = installer.planUninstall(agent);
      stdout.write(`${name}\n${changeText(change, hasColour(stdout, context.env))}\n`);
      if (dryRun) continue;
      if (!yes && !(await askYes(`Change this file for ${name}?`, context))) {
        stdout.write(`${name}: left as it is\n`);
        left += 1;
        continue;
      }
      installer.uninstall(change);
      stdout.write(`${name}: uninstalled\n`);
    } catch (error) {
      reportFailure(error, context);
      failed = true;
    }
  }
  if (!dryRun && !failed && left === 0 && AGENTS.every((agent) => installer.installed(agent).length === 0)) {
    if (sender.uninstall()) stdout.write('The sender is gone too.\n');
  }
  if (failed) throw new AlreadyTold();
}
