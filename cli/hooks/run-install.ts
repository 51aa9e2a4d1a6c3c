import { codex } from '../../hooks/installers/agents/codex.ts';
import { codexNotify } from '../../hooks/installers/agents/codex-notify.ts';
import { SignalboxError } from '../../protocol/errors.ts';
import type { CommandContext } from '../context.ts';
import { AlreadyTold } from '../failure.ts';
import { loadSettings } from '../settings.ts';
import { agentsHere, agentsNamed } from './agents-here.ts';
import { expectTerminal } from './ask.ts';
import { type Consent, installAll } from './install-agents.ts';
import { installingOn } from './installing.ts';
import { selfTest } from './self-test.ts';

export interface InstallOptions extends Consent {
  /** Codex' `notify` too. */
  readonly notify?: true;
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
  const found = names.length > 0 ? agentsNamed(names, settings) : agentsHere(installing.machine);
  if (options.notify && !found.includes(codex)) {
    const reason = '--notify is about Codex, which is not among the agents.';
    throw new SignalboxError('bad_usage', { reason, help: HELP });
  }
  const agents = options.notify ? [...found, codexNotify] : found;
  const { stdout } = context;
  if (!options.yes && !options.dryRun) expectTerminal(context, HELP);
  if (agents.length === 0) {
    stdout.write(
      'No agent was found on this machine. Name the one that you mean, e.g. signalbox hooks install claude\n',
    );
    return;
  }
  const { done, failed } = await installAll(agents, installing, options, context, settings);
  // One event of Codex' is enough, however many files of it there are.
  const tested = found.filter((agent) => done.includes(agent));
  if (tested.length > 0) stdout.write(await selfTest(tested, installing, settings, context));
  if (failed) throw new AlreadyTold();
}
