import type { CommandContext } from '../context.ts';
import { AlreadyTold } from '../failure.ts';
import { loadSettings } from '../settings.ts';
import { agentsHere, agentsNamed } from './agents-here.ts';
import { expectTerminal } from './ask.ts';
import { type Consent, installAll } from './install-agents.ts';
import { installingOn } from './installing.ts';
import { selfTest } from './self-test.ts';

const HELP = 'signalbox help hooks';

/**
 * `signalbox hooks install`: shows what would change in each agent's file, asks, does it, and sends one event through the sender. An agent whose file can't be understood is left as it is;
 * the others go on.
 * @throws SignalboxError `unknown_provider`, `bad_usage`, `folder_unusable`; AlreadyTold when one of the agents failed
 */
export async function runInstall(
  names: readonly string[],
  options: Consent,
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
  const { done, failed } = await installAll(agents, installing, options, context, settings);
  if (done.length > 0) stdout.write(await selfTest(done, installing, settings, context));
  if (failed) throw new AlreadyTold();
}
