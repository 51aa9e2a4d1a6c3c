import { existsSync } from 'node:fs';
import { systemClock } from '../../runtime/clock.ts';
import { openBus } from '../bus.ts';
import type { CommandContext } from '../context.ts';
import { byUrgency } from '../../protocol/urgency.ts';
import { readSessions } from '../sessions/read-sessions.ts';
import { shortKeys } from '../sessions/short-keys.ts';
import { loadSettings } from '../settings.ts';
import { Board } from '../status/board.ts';
import { stateWords } from '../words.ts';
import type { Candidate } from './candidates.ts';

/** The sessions of the running hub by their short keys, those that wait first. @throws SignalboxError those of `readSessions` */
export async function listSessions(context: CommandContext): Promise<readonly Candidate[]> {
  const settings = loadSettings(context, {});
  const { config, paths, registry } = settings;
  // Nobody waits at a prompt for a hub that isn't there.
  if (config.broker.url === '' && !existsSync(paths.hubFile)) return [];
  const bus = await openBus(settings, context);
  try {
    const found = (await readSessions(bus, new Board(registry), systemClock())).sort(byUrgency);
    const keys = shortKeys(found.map(({ key }) => key));
    return found.map(({ key, provider, project, state }) => ({
      word: keys.get(key) ?? key,
      about: `${registry.find(provider)?.name ?? provider} ${project}, ${stateWords(state)}`,
    }));
  } finally {
    await bus.link.close();
  }
}
