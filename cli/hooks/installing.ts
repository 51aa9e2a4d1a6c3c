import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Machine, SenderCommand } from '../../hooks/installers/agent-hooks.ts';
import { InstalledRecords } from '../../hooks/installers/installed.ts';
import { Installer } from '../../hooks/installers/installer.ts';
import { SenderFiles } from '../../hooks/installers/sender-files.ts';
import type { CommandContext } from '../context.ts';
import { shippedHookFile } from '../own-command.ts';
import type { Settings } from '../settings.ts';

/** What the commands that put hooks in and take them out go by. */
export interface Installing {
  readonly machine: Machine;
  readonly installer: Installer;
  readonly sender: SenderFiles;
  /** How agents run it. */
  readonly command: SenderCommand;
}

export function installingOn({ env, platform, home }: CommandContext, { paths }: Settings): Installing {
  const machine = { env, platform, home };
  const sender = new SenderFiles(paths.data, platform);
  const command = sender.command(process.execPath);
  return {
    machine,
    sender,
    command,
    installer: new Installer({
      machine,
      sender: command,
      records: new InstalledRecords(join(paths.data, 'installed')),
      pluginSource: (provider) => readFileSync(shippedHookFile(`plugins/${provider}.js`), 'utf8'),
    }),
  };
}
