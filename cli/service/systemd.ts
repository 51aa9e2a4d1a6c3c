import { isAbsolute, join } from 'node:path';
import type { CommandContext } from '../context.ts';
import { askProgram, tellProgram } from './ask-program.ts';
import { type Manager, SERVICE_NAME } from './manager.ts';
import type { ServiceParts } from './service-file.ts';
import { systemdUnit, unitFolders } from './systemd-unit.ts';

const UNIT = `${SERVICE_NAME}.service`;
const LOOK = `journalctl --user -u ${SERVICE_NAME}`;

/** The user's own systemd. */
export function systemd(context: CommandContext, parts: ServiceParts): Manager {
  const { env, home } = context;
  const config = env['XDG_CONFIG_HOME'] ?? '';
  const folder = join(isAbsolute(config) ? config : join(home, '.config'), 'systemd', 'user');
  const ask = (...args: string[]) => askProgram('systemctl', ['--user', ...args], context);
  const tell = (...args: string[]) => tellProgram('systemctl', ['--user', ...args], context, LOOK);
  return {
    name: 'systemd',
    file: join(folder, UNIT),
    text: systemdUnit(parts),
    folders: unitFolders,
    links: [join(folder, 'default.target.wants', UNIT)],
    byHand: {
      install: ['systemctl --user daemon-reload', `systemctl --user enable --now ${SERVICE_NAME}`],
      uninstall: [`systemctl --user disable --now ${SERVICE_NAME}`],
    },
    look: LOOK,
    // It fails without a session's manager, be the program there or not.
    isThere: async () => (await ask('show-environment')).good,
    isEnabled: async () => (await ask('is-enabled', UNIT)).good,
    isRunning: async () => (await ask('is-active', UNIT)).good,
    async enable(start) {
      await tell('daemon-reload');
      await tell('enable', UNIT);
      if (start) await tell('restart', UNIT);
    },
    async disable() {
      // It may never have been told of the file.
      await tell('daemon-reload');
      await tell('disable', '--now', UNIT);
    },
    async forget() {
      await ask('daemon-reload');
      // A unit that had failed would be listed on.
      await ask('reset-failed', UNIT);
    },
  };
}
