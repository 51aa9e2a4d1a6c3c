import { join } from 'node:path';
import { userInfo } from 'node:os';
import type { CommandContext } from '../context.ts';
import { askProgram, tellProgram } from './ask-program.ts';
import { shortPath } from '../terminal/short-path.ts';
import { agentFolders, launchdAgent } from './launchd-agent.ts';
import { type Manager, SERVICE_NAME } from './manager.ts';
import type { ServiceParts } from './service-file.ts';

/** The launchd of the user's login on macOS. */
export function launchd(context: CommandContext, parts: ServiceParts): Manager {
  const file = join(context.home, 'Library', 'LaunchAgents', `${SERVICE_NAME}.plist`);
  const domain = `gui/${userInfo().uid}`;
  const service = `${domain}/${SERVICE_NAME}`;
  const look = `launchctl print ${service} and the end of ${shortPath(parts.log, context.home)}`;
  const ask = (...args: string[]) => askProgram('launchctl', args, context);
  const tell = (...args: string[]) => tellProgram('launchctl', args, context, look);
  const isLoaded = async (): Promise<boolean> => (await ask('print', service)).good;
  return {
    name: 'launchd',
    file,
    text: launchdAgent(parts),
    folders: agentFolders,
    links: [],
    log: parts.log,
    byHand: {
      install: [`launchctl bootstrap ${domain} ~/Library/LaunchAgents/${SERVICE_NAME}.plist`],
      uninstall: [`launchctl bootout ${service}`],
    },
    look,
    // Over SSH, and for a user who is not logged in, there is no such domain.
    isThere: async () => (await ask('print', domain)).good,
    // Every agent in the folder is loaded at login, unless it was disabled by name.
    isEnabled: async () =>
      !(await ask('print-disabled', domain)).stdout.includes(`"${SERVICE_NAME}" => disabled`),
    isRunning: async () => /^\s*state = running$/m.test((await ask('print', service)).stdout),
    async enable(start) {
      await tell('enable', service);
      if (!start) return;
      if (await isLoaded()) await tell('bootout', service);
      await tell('bootstrap', domain, file);
    },
    async disable() {
      if (await isLoaded()) await tell('bootout', service);
    },
    forget: () => Promise.resolve(),
  };
}
