import type { Paths } from '../../runtime/paths.ts';
import type { CommandContext } from '../context.ts';
import { type Answer, askYes } from '../hooks/ask.ts';
import type { Consent } from '../hooks/install-agents.ts';
import { commandOf } from '../own-command.ts';
import { installService } from '../service/install-service.ts';
import { managerHere, serviceState } from '../service/service.ts';
import { shortPath } from '../terminal/short-path.ts';

/**
 * Offers to start the hub at login, where this machine has something that would.
 * @throws SignalboxError those of `installService`
 */
export async function offerService(
  paths: Paths,
  { yes, dryRun }: Consent,
  context: CommandContext,
): Promise<Answer> {
  const { stdout, env, home } = context;
  const manager = managerHere(context, paths);
  if (manager === undefined || !(await manager.isThere())) return 'no';
  const file = shortPath(manager.file, home);
  const state = serviceState(manager);
  if (state === 'current' && (await manager.isEnabled())) {
    stdout.write('Start at login: the service is in place, nothing to do\n');
    return 'yes';
  }
  if (state === 'foreign' || state === 'elsewhere') {
    stdout.write(
      `Start at login: left alone, since ${file} is of another. See "${commandOf(env)} service status".\n`,
    );
    return 'no';
  }
  stdout.write(`Start at login: ${manager.name} would run the hub, by ${file}\n`);
  if (dryRun) return 'no';
  const answer = yes ? 'yes' : await askYes('Start the hub at login, and now?', context);
  if (answer === 'yes') stdout.write(await installService(manager, paths, context));
  return answer;
}
