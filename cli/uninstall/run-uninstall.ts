import type { CommandContext } from '../context.ts';
import { logFor } from '../bus.ts';
import { AlreadyTold, reportFailure } from '../failure.ts';
import { askYes, expectTerminal } from '../hooks/ask.ts';
import { changeText } from '../hooks/change-text.ts';
import { nameOf } from '../hooks/install-agents.ts';
import type { SettingOptions } from '../options.ts';
import { commandOf } from '../own-command.ts';
import { uninstallService } from '../service/install-service.ts';
import { loadSettings, type Settings } from '../settings.ts';
import { hasColour } from '../terminal/colour.ts';
import { shortPath } from '../terminal/short-path.ts';
import { clearBroker } from './clear-broker.ts';
import { removeData } from './own-files.ts';
import { type Plan, planUninstall } from './plan.ts';
import { planLines } from './plan-text.ts';
import { expectNoHub, stopHub } from './stop-hub.ts';

export interface UninstallOptions extends SettingOptions {
  readonly data?: true;
  readonly yes?: true;
  readonly dryRun?: true;
}

/**
 * `signalbox uninstall`: takes hooks, service, hub, retained messages and sender away, and with consent data and settings. Whatever fails is told and the rest goes on, but the sender stays while a hook
 * may still run it, and data stays until all else is done, since a second run needs it.
 * @throws SignalboxError `bad_usage`, `hub_running`, those of the settings; AlreadyTold when something failed, or the user broke the questions off
 */
export async function runUninstall(options: UninstallOptions, context: CommandContext): Promise<void> {
  const { stdout } = context;
  const { yes, dryRun } = options;
  if (!yes && !dryRun) expectTerminal(context, 'signalbox help uninstall');
  const settings = loadSettings(context, options);
  const plan = await planUninstall(settings, context);
  if (plan.hub === undefined) await expectNoHub(settings.paths);
  const lines = planLines(plan, options.data === true);
  if (lines.length === 0 && plan.folders.length === 0) {
    stdout.write('Nothing of Signalbox is installed here.\n');
    return;
  }
  if (dryRun) stdout.write(changesText(plan, settings, context));
  if (lines.length > 0) stdout.write(`Signalbox is taken off this machine:\n${lines.join('\n')}\n`);
  if (dryRun) {
    stdout.write(options.data ? '' : keptText(plan, context));
    return;
  }
  const data = await consentTo(plan, lines.length > 0, options, context);
  if (data === undefined) {
    stdout.write('Left as it is.\n');
    return;
  }
  await carryOut(plan, data, settings, context);
}

/**
 * Asks before anything is done.
 * @returns whether data and settings go too; undefined when nothing is to go @throws AlreadyTold when the user breaks the questions off
 */
async function consentTo(
  { folders }: Plan,
  hasMore: boolean,
  { data, yes }: UninstallOptions,
  context: CommandContext,
): Promise<boolean | undefined> {
  if (yes) return data === true;
  const questions = {
    all: 'Do all of this?',
    data: `Delete data and settings too, for good? (${placesOf(folders, context)})`,
  };
  const first = hasMore ? await askYes(questions.all, context) : 'yes';
  if (first === 'no') return undefined;
  const second =
    data || folders.length === 0 || first === 'broken off' ? first : await askYes(questions.data, context);
  if (second === 'broken off') {
    context.stdout.write('Left as it is.\n');
    throw new AlreadyTold();
  }
  return data === true || (second === 'yes' && folders.length > 0);
}

async function carryOut(
  plan: Plan,
  data: boolean,
  settings: Settings,
  context: CommandContext,
): Promise<void> {
  const { stdout, home } = context;
  const { installing, service, broker } = plan;
  let failed = false;
  /** @returns whether it was done */
  const attempt = async (work: () => unknown): Promise<boolean> => {
    try {
      await work();
      return true;
    } catch (error) {
      reportFailure(error, context);
      failed = true;
      return false;
    }
  };
  for (const { error } of plan.unreadable) {
    reportFailure(error, context);
    failed = true;
  }
  for (const { change } of plan.changes) {
    await attempt(() => {
      installing.installer.uninstall(change);
      const what = 'record' in change.agent ? 'its notify is' : 'hooks are';
      stdout.write(`${nameOf(change.agent, settings)}: ${what} out\n`);
    });
  }
  const isInUse = failed;
  const isOurs = service?.state === 'current' || service?.state === 'outdated';
  const hasNoService =
    !isOurs || (await attempt(async () => stdout.write(await uninstallService(service.manager, home))));
  const hasNoHub = await attempt(() => endHub(plan, context));
  // A hub that runs on would publish it all again.
  if (broker !== undefined && hasNoService && hasNoHub) {
    await attempt(async () => {
      const cleared = await clearBroker(broker, await logFor(settings, context));
      stdout.write(
        cleared.kind === 'cleared'
          ? `The broker at ${broker.url} keeps nothing of Signalbox (${cleared.count} cleared).\n`
          : `Another hub (${cleared.hub}) is online at ${broker.url}, so what is kept there stays.\n`,
      );
    });
  }
  if (!isInUse) {
    await attempt(() => {
      if (installing.sender.uninstall()) stdout.write('The sender is gone.\n');
    });
  }
  if (failed) {
    stdout.write('Data and settings are kept, since not all else could be done.\n');
    throw new AlreadyTold();
  }
  if (!data) {
    stdout.write(keptText(plan, context));
    return;
  }
  await expectNoHub(settings.paths);
  const moved = (context.env['SIGNALBOX_HOME'] ?? '') !== '';
  const left = removeData({ paths: settings.paths, home, moved });
  stdout.write(['Data and settings are deleted.', ...left, ''].join('\n'));
}

/** The service may have been the one that ran it. */
async function endHub({ hub }: Plan, { stdout }: CommandContext): Promise<void> {
  if (hub === undefined) return;
  if (await stopHub(hub)) stdout.write('The hub has stopped.\n');
}

function changesText({ changes }: Plan, settings: Settings, { stdout, env }: CommandContext): string {
  return changes
    .map(({ change }) => `${nameOf(change.agent, settings)}\n${changeText(change, hasColour(stdout, env))}\n`)
    .join('');
}

function keptText({ folders }: Plan, context: CommandContext): string {
  return folders.length === 0
    ? ''
    : `Data and settings stay in ${placesOf(folders, context)}. To delete them: ${commandOf(context.env)} uninstall --data\n`;
}

function placesOf(folders: readonly string[], { home }: CommandContext): string {
  return folders.map((folder) => shortPath(folder, home)).join(' and ');
}
