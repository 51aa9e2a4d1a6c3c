import { existsSync } from 'node:fs';
import { SignalboxError } from '../../protocol/errors.ts';
import type { Command } from '../../protocol/messages/request.ts';
import { type Asked, Asker } from '../../runtime/asker.ts';
import type { Clock } from '../../runtime/clock.ts';
import { readHubFile } from '../../runtime/hub-file.ts';
import type { Bus } from '../bus.ts';
import type { Settings } from '../settings.ts';

/**
 * Asks the hub and gives the `data` of its answer.
 * @throws SignalboxError `no_hub`, `needs_socket`, `not_taken`, `subscription_refused`, and what the hub answers
 */
export async function askHub(
  bus: Bus,
  command: Command,
  asked: Asked,
  { settings, clock }: { settings: Settings; clock: Clock },
): Promise<unknown> {
  await bus.ready();
  if (isByPort(settings)) throw new SignalboxError('needs_socket', { where: bus.where() });
  return new Asker({ link: bus.link, clock, where: bus.where }).ask(command, asked);
}

/** Is the hub reached by its port, where it takes no requests? With another broker that broker knows who may. */
function isByPort({ config, paths }: Settings): boolean {
  const hub = config.broker.url === '' ? readHubFile(paths.hubFile) : undefined;
  return hub !== undefined && hub.broker_url === undefined && !(hub.socket !== '' && existsSync(hub.socket));
}
