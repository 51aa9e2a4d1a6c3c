import { SignalboxError } from '../../protocol/errors.ts';
import { type Paths, resolvePaths } from '../../runtime/paths.ts';
import type { CommandContext } from '../context.ts';
import { commandOf } from '../own-command.ts';
import { installService, runningHub, uninstallService } from './install-service.ts';
import type { Manager } from './manager.ts';
import { managerHere, type ServiceState, serviceState } from './service.ts';

export interface ServiceOptions {
  readonly dryRun?: true;
}

export interface ServiceStatusOptions {
  readonly json?: true;
}

/**
 * `signalbox service install`: the hub as a service of the user's own session.
 * @throws SignalboxError `bad_usage` where no service manager is known; those of `installService`
 */
export async function runServiceInstall({ dryRun }: ServiceOptions, context: CommandContext): Promise<void> {
  const { paths, manager } = here(context);
  if (dryRun) {
    context.stdout.write(manager.text);
    return;
  }
  context.stdout.write((await installService(manager, paths, context)) + leftOut(context));
}

/** `signalbox service uninstall`. @throws as `runServiceInstall` */
export async function runServiceUninstall(
  { dryRun }: ServiceOptions,
  context: CommandContext,
): Promise<void> {
  const { manager } = here(context);
  const { stdout, home } = context;
  if (!dryRun) stdout.write(await uninstallService(manager, home));
  else if (serviceState(manager) === 'missing') stdout.write('No service is installed, nothing to do.\n');
  else stdout.write(`Would be stopped and removed: ${manager.file}\n`);
}

/** `signalbox service status`. @throws as `runServiceInstall` */
export async function runServiceStatus(
  { json }: ServiceStatusOptions,
  context: CommandContext,
): Promise<void> {
  const { paths, manager } = here(context);
  const state = serviceState(manager);
  const installed = state === 'current' || state === 'outdated';
  const answers = await manager.isThere();
  const hub = await runningHub(paths);
  const told = {
    manager: manager.name,
    file: manager.file,
    state,
    /** Left out where its manager can't be asked. */
    ...(answers && {
      enabled: installed && (await manager.isEnabled()),
      running: installed && (await manager.isRunning()),
    }),
    ...(hub !== undefined && { hub: { pid: hub.pid } }),
  };
  context.stdout.write(json ? `${JSON.stringify(told, undefined, 2)}\n` : text(told, commandOf(context.env)));
}

function here(context: CommandContext): { readonly paths: Paths; readonly manager: Manager } {
  const { env, platform, home } = context;
  const paths = resolvePaths({ env, platform, home });
  const manager = managerHere(context, paths);
  if (manager === undefined) {
    const reason = `Signalbox knows no service manager of this platform (${platform}). Let it start "${commandOf(env)} up" by other means.`;
    throw new SignalboxError('bad_usage', { reason, help: 'signalbox help service' });
  }
  return { paths, manager };
}

/** Settings of the shell stay in the shell. Their values are not repeated: one may be a secret. */
function leftOut({ env }: CommandContext): string {
  const names = Object.keys(env)
    .filter((name) => name.startsWith('SIGNALBOX_') && name !== 'SIGNALBOX_HOME' && env[name] !== '')
    .sort();
  return names.length === 0
    ? ''
    : `The service does not see your shell's ${names.join(', ')}: what it is to keep belongs into config.toml.\n`;
}

const WORDS: Readonly<Record<ServiceState, string>> = {
  missing: 'not installed',
  current: 'installed',
  outdated: 'installed, and not as this version would write it',
  elsewhere: 'installed, for the hub of another data folder',
  foreign: 'a file of this name is there, and Signalbox did not write it',
};

interface Told {
  readonly manager: Manager['name'];
  readonly file: string;
  readonly state: ServiceState;
  readonly enabled?: boolean;
  readonly running?: boolean;
  readonly hub?: { readonly pid: number };
}

function text({ manager, file, state, enabled, running, hub }: Told, program: string): string {
  const login =
    enabled === undefined
      ? `not known: ${manager} does not answer here for your user`
      : enabled
        ? 'starts'
        : 'does not start';
  const hubNow =
    hub === undefined
      ? 'does not run'
      : `runs (process ${hub.pid})${running === false ? ', not as this service' : ''}`;
  const next = state === 'missing' || state === 'outdated' ? `\nNext: ${program} service install\n` : '';
  return `Service   ${WORDS[state]}\nFile      ${file}\nAt login  ${login}\nHub       ${hubNow}\n${next}`;
}
