import { once } from 'node:events';
import { systemClock } from '../../runtime/clock.ts';
import { agentFolders } from '../../runtime/config/agent-folders.ts';
import { type FlagSetting, loadConfig } from '../../runtime/config/load.ts';
import { createLog } from '../../runtime/log.ts';
import { resolvePaths } from '../../runtime/paths.ts';
import { version as packageVersion } from '../../runtime/version.ts';
import type { CommandContext } from '../context.ts';
import { commandOf } from '../own-command.ts';
import { type SettingOptions, flagSettings } from '../options.ts';
import { banner } from './banner.ts';
import { startHub } from './hub.ts';
import { stopWithin } from './stop-within.ts';

export interface UpOptions extends SettingOptions {
  readonly port?: string;
  readonly httpPort?: string;
  readonly listen?: string;
  readonly logLevel?: string;
}

/** `signalbox up`: runs the hub until Ctrl-C or SIGTERM. @throws what `startHub` throws */
export async function runUp(options: UpOptions, context: CommandContext): Promise<void> {
  const { env, platform, home, stdout, stderr, ending } = context;
  const paths = resolvePaths({ env, platform, home });
  const file = options.config ?? paths.configFile;
  const { config, warnings, brokerPassword, httpToken, notifySecrets } = loadConfig({
    file,
    env,
    flags: upSettings(options),
  });
  const { level, format } = config.log;
  const log = createLog({
    level,
    format,
    stream: stderr,
    colour: stderr.isTTY && env['NO_COLOR'] === undefined,
  });
  for (const warning of warnings) log.warn(warning);
  const ended = asked(ending());
  const version = packageVersion();
  const [password, token] = [brokerPassword(), httpToken()];
  const secrets = config.notify.enabled ? notifySecrets() : {};
  const hub = await startHub({
    config,
    paths,
    clock: systemClock(),
    log,
    version,
    home,
    folders: agentFolders(env, home),
    brokerPassword: password,
    httpToken: token,
    notifySecrets: secrets,
  });
  const sourcesOff = Object.entries(config.sources).flatMap(([name, on]) => (on ? [] : [name]));
  const brokerUrl = config.broker.url;
  stdout.write(
    banner({ version, hub, data: paths.data, sourcesOff, brokerUrl, home, command: commandOf(env) }),
  );
  await ended;
  log.info('stopping');
  await stopWithin(hub, log);
}

function upSettings(options: UpOptions): readonly FlagSetting[] {
  return [
    ...flagSettings(options),
    { key: 'broker.port', flag: '--port', value: options.port },
    { key: 'http.port', flag: '--http-port', value: options.httpPort },
    { key: 'broker.listen', flag: '--listen', value: options.listen },
    { key: 'log.level', flag: '--log-level', value: options.logLevel },
  ];
}

/** Resolves when the user, or the system, asks for the end. */
async function asked(ending: AbortSignal): Promise<void> {
  if (!ending.aborted) await once(ending, 'abort');
}
