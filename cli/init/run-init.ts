import type { CommandContext } from '../context.ts';
import { AlreadyTold, reportFailure } from '../failure.ts';
import { agentsHere } from '../hooks/agents-here.ts';
import type { Answer } from '../hooks/ask.ts';
import { expectTerminal } from '../hooks/ask.ts';
import { installAll, type InstalledAgents } from '../hooks/install-agents.ts';
import { installingOn } from '../hooks/installing.ts';
import { selfTest } from '../hooks/self-test.ts';
import { commandOf } from '../own-command.ts';
import { runningHub } from '../service/install-service.ts';
import { loadSettings } from '../settings.ts';
import { agentList } from './agent-list.ts';
import { checkServer, offerPhone, type PhoneOptions } from './offer-phone.ts';
import { offerService } from './offer-service.ts';

export interface InitOptions extends PhoneOptions {
  /** False: nothing is said of starting at login. */
  readonly service: boolean;
}

/**
 * `signalbox init`: finds the agents here, installs their hooks and the sender, offers messages to the phone, has the hub started at login, each with consent, and tries the way from the one to the other.
 * @throws SignalboxError `bad_usage`, those of the settings; AlreadyTold when something failed, or the user broke the questions off
 */
export async function runInit(options: InitOptions, context: CommandContext): Promise<void> {
  const { yes, dryRun, service } = options;
  const { stdout, env } = context;
  checkServer(options);
  if (!yes && !dryRun) expectTerminal(context, 'signalbox help init');
  const settings = loadSettings(context, {});
  const installing = installingOn(context, settings);
  const agents = agentsHere(installing.machine);
  stdout.write(
    agents.length === 0
      ? `No agent was found on this machine. Once one is here: ${commandOf(env)} hooks install\n\n`
      : `Agents on this machine:\n${agentList(agents, installing, settings)}\n`,
  );
  let failed = false;
  let installed: InstalledAgents = { done: [], failed: false };
  let answer: Answer = 'no';
  try {
    installed = await installAll(agents, installing, options, context, settings);
    const phone = await offerPhone(settings, options, context);
    failed = phone.failed;
    answer = phone.answer;
    if (service && answer !== 'broken off') answer = await offerService(settings.paths, options, context);
  } catch (error) {
    if (error instanceof AlreadyTold) answer = 'broken off';
    else {
      reportFailure(error, context);
      failed = true;
    }
  }
  if (answer === 'broken off') {
    stdout.write(
      `Stopped. What you agreed to before is done, and nothing else. To go on: ${commandOf(env)} init\n`,
    );
    throw new AlreadyTold();
  }
  if (dryRun) return;
  const hub = await runningHub(settings.paths);
  if (hub !== undefined && installed.done.length > 0)
    stdout.write(await selfTest(installed.done, installing, settings, context));
  stdout.write(nextText(hub !== undefined, commandOf(env)));
  if (failed || installed.failed) throw new AlreadyTold();
}

function nextText(runs: boolean, command: string): string {
  return runs
    ? `\nThe hub runs. See who needs you:  ${command} status --follow\n`
    : `\nNext:  ${command} up                 run the hub\n       ${command} status --follow    who needs you, in another terminal\n`;
}
