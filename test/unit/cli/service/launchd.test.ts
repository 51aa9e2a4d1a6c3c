import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { installService } from '../../../../cli/service/install-service.ts';
import { managerHere } from '../../../../cli/service/service.ts';
import { resolvePaths } from '../../../../runtime/paths.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** Stands for `launchctl`, which is not on this system: it says yes to everything, and writes down what is in the folder of logs when it is to start the hub. */
function standIn(folder: string, logs: string): void {
  mkdirSync(folder);
  const program = join(folder, 'launchctl');
  writeFileSync(program, `#!/bin/sh\n[ "$1" = bootstrap ] && ls -ld '${logs}' > '${folder}/seen'\nexit 0\n`);
  chmodSync(program, 0o755);
}

it('launchd keeps what the hub says: its log has a private folder before the hub starts', async () => {
  const home = temporaryFolder();
  const bin = join(home, 'bin');
  const env = { PATH: `${bin}:${process.env['PATH']}` };
  const surroundings = { env, platform: 'darwin', home } as const;
  const paths = resolvePaths(surroundings);
  standIn(bin, paths.logs);
  const context = surroundings as unknown as Parameters<typeof managerHere>[0];
  const manager = managerHere(context, paths);
  if (manager === undefined) throw new Error('no manager');
  const told = await installService(manager, paths, context);
  const log = join(home, 'Library/Application Support/signalbox/logs/hub.log');
  expect(manager.log).toBe(log);
  expect(readFileSync(manager.file, 'utf8')).toContain(
    `<key>StandardErrorPath</key>\n  <string>${log}</string>`,
  );
  expect(readFileSync(join(bin, 'seen'), 'utf8')).toMatch(/^drwx------ /);
  expect(statSync(paths.logs).mode & 0o077).toBe(0);
  expect(told).toContain('logs/hub.log');
});
