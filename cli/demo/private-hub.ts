import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignalboxError } from '../../protocol/errors.ts';
import type { Clock } from '../../runtime/clock.ts';
import { loadConfig } from '../../runtime/config/load.ts';
import type { Log } from '../../runtime/log.ts';
import { resolvePaths } from '../../runtime/paths.ts';
import { version } from '../../runtime/version.ts';
import type { CommandContext } from '../context.ts';
import { type Hub, startHub } from '../up/hub.ts';
import { stopWithin } from '../up/stop-within.ts';

/** A hub of this process alone, with its folder, and ports that were free. */
export interface PrivateHub {
  /** Its SIGNALBOX_HOME. */
  readonly folder: string;
  readonly mqttPort: number;
  /** The surroundings of a command that is to talk to this hub, and knows nothing of the user's own. */
  readonly context: CommandContext;
  /** Stops the hub and removes its folder. Always ends. */
  stop(): Promise<void>;
}

/** A folder whose path is longer leaves no room for the name of the Unix socket, which holds 103 bytes on some systems. */
const LONGEST_FOLDER = 60;

/** Starts a hub in a folder of its own, which is gone when the process ends, unless it is killed. @throws SignalboxError `folder_unusable`, what `startHub` throws */
export async function startPrivateHub(
  context: CommandContext,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<PrivateHub> {
  const folder = makeFolder(temporaryFolder());
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.on('exit', remove);
  const own = ownContext(context, folder);
  const { platform, home, env } = own;
  const paths = resolvePaths({ env, platform, home });
  try {
    const { config } = loadConfig({ file: paths.configFile, env, flags: FREE_PORTS });
    const hub: Hub = await startHub({
      config,
      paths,
      clock,
      log,
      version: version(),
      home,
      brokerPassword: undefined,
    });
    return {
      folder,
      mqttPort: hub.mqtt.port,
      context: own,
      async stop() {
        await stopWithin(hub, log);
        remove();
        process.off('exit', remove);
      },
    };
  } catch (error) {
    remove();
    process.off('exit', remove);
    throw error;
  }
}

const FREE_PORTS = [
  { key: 'broker.port', flag: 'demo', value: 0 },
  { key: 'http.port', flag: 'demo', value: 0 },
];

/** Without the user's settings, which may come from the environment too. */
function ownContext(context: CommandContext, folder: string): CommandContext {
  const env = Object.entries(context.env).filter(
    ([name]) => !/^(?:SIGNALBOX|AGENT_SIGNAL_LIGHT)_/.test(name),
  );
  return { ...context, env: { ...Object.fromEntries(env), SIGNALBOX_HOME: folder } };
}

/** Made under a name that nothing else has. @throws SignalboxError `folder_unusable` */
function makeFolder(parent: string): string {
  try {
    return mkdtempSync(join(parent, 'signalbox-demo-'));
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown';
    throw new SignalboxError('folder_unusable', { path: parent, reason }, { cause: error });
  }
}

function temporaryFolder(): string {
  const usual = tmpdir();
  return process.platform !== 'win32' && Buffer.byteLength(usual) > LONGEST_FOLDER ? '/tmp' : usual;
}
