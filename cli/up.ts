import { homedir } from 'node:os';
import { systemClock } from '../runtime/clock.ts';
import { type FlagSetting, loadConfig } from '../runtime/config/load.ts';
import { createLog, type Log } from '../runtime/log.ts';
import { resolvePaths } from '../runtime/paths.ts';
import { version as packageVersion } from '../runtime/version.ts';
import { banner } from './up/banner.ts';
import { type Hub, startHub } from './up/hub.ts';

export interface UpOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly flags: readonly FlagSetting[];
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

/** After this a stop that hangs is ended by force [ms]. */
const STOP_WITHIN = 2_000;

/** `signalbox up`: runs the hub until Ctrl-C or SIGTERM. @throws what `startHub` throws */
export async function runUp({ env, flags, stdout, stderr }: UpOptions): Promise<void> {
  const home = homedir();
  const paths = resolvePaths({ env, platform: process.platform, home });
  const { config, warnings, brokerPassword } = loadConfig({ file: paths.configFile, env, flags });
  const log = createLog({ level: config.log.level, format: config.log.format, stream: stderr });
  for (const warning of warnings) log.warn(warning);
  const ended = stopSignal();
  const version = packageVersion();
  const hub = await startHub({
    config,
    paths,
    clock: systemClock(),
    log,
    version,
    home,
    brokerPassword: brokerPassword(),
  });
  stdout.write(
    banner({ version, hub, data: paths.data, brokerUrl: config.broker.url, home, command: commandOf(env) }),
  );
  const signal = await ended;
  log.info('stopping', { reason: signal });
  await stopWithin(hub, log);
}

/** How the user runs our commands: installed, or in a checkout by npm. */
function commandOf(env: UpOptions['env']): string {
  return env['npm_lifecycle_event'] === undefined ? 'signalbox' : 'npm run -s signalbox --';
}

/** Resolves with the first signal that asks for the end; a second one ends at once. */
function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(name, () => {
        process.once(name, () => process.exit(1));
        resolve(name);
      });
    }
  });
}

async function stopWithin(hub: Hub, log: Log): Promise<void> {
  const force = setTimeout(() => {
    log.error('the hub did not stop in time and is ended');
    process.exit(1);
  }, STOP_WITHIN);
  await hub.stop();
  clearTimeout(force);
}
