import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Machine } from '../../hooks/installers/agent-hooks.ts';
import { InstalledRecords } from '../../hooks/installers/installed.ts';
import { Installer } from '../../hooks/installers/installer.ts';
import { SenderFiles } from '../../hooks/installers/sender-files.ts';
import type { CommandContext } from '../context.ts';
import type { Settings } from '../settings.ts';

/** What the commands that put hooks in and take them out go by. */
export interface Installing {
  readonly machine: Machine;
  readonly installer: Installer;
  readonly sender: SenderFiles;
}

export function installingOn({ env, platform, home }: CommandContext, { paths }: Settings): Installing {
  const machine = { env, platform, home };
  const sender = new SenderFiles(paths.data);
  return {
    machine,
    sender,
    installer: new Installer({
      machine,
      sender: { program: [sender.path] },
      records: new InstalledRecords(join(paths.data, 'installed')),
      pluginSource: (provider) =>
        readFileSync(new URL(`../../hooks/plugins/${provider}.js`, import.meta.url), 'utf8'),
    }),
  };
}
