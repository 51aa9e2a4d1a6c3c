import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Agent } from '../../hooks/installers/agent-hooks.ts';
import { InstalledRecords } from '../../hooks/installers/installed.ts';
import { Installer } from '../../hooks/installers/installer.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Where a sender is. */
export const SENDER = {
  program: ['/home/me/.local/share/signalbox/bin/signalbox-hook'],
  platform: 'linux',
} as const;

/** A home folder with an installer for it. */
export function installingMachine(
  home = temporaryFolder(),
  sender: readonly [string, ...string[]] = SENDER.program,
  /** Stands for the program that the build makes of an agent's plugin. */
  pluginSource = (provider: string): string => `export const ${provider} = SIGNALBOX_SENDER;\n`,
  platform: NodeJS.Platform = 'linux',
) {
  const at = { env: {}, platform, home };
  const records = new InstalledRecords(join(home, 'records'));
  const installer = new Installer({
    machine: at,
    sender: { program: sender, platform },
    records,
    pluginSource,
  });
  const fileOf = (agent: Agent): string => agent.file(at);
  return {
    home,
    installer,
    fileOf,
    put(agent: Agent, text: string): void {
      mkdirSync(dirname(fileOf(agent)), { recursive: true });
      writeFileSync(fileOf(agent), text);
    },
    read: (agent: Agent): string => readFileSync(fileOf(agent), 'utf8'),
    install(agent: Agent, version = '2.1.332'): void {
      installer.install(installer.planInstall(agent, version));
    },
    uninstall(agent: Agent): void {
      installer.uninstall(installer.planUninstall(agent));
    },
  };
}
