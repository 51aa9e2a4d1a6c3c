import type { LastEvent } from '../../../services/aggregator/store/rows.ts';
import { ago } from '../../terminal/duration.ts';
import { type Check, type Finding, ok, warning } from '../check.ts';
import type { Facts } from '../facts.ts';

/** More of a provider's events are left to `--json`. */
const SHOWN = 6;

/** When each provider's hooks were last heard of, event by event. */
export const eventsCheck: Check = {
  name: 'events',
  run(facts) {
    const { database } = facts;
    if (database.kind !== 'sound') return [];
    if (database.events.length === 0) {
      const mend = "Set up an agent's hooks, and let it do something: signalbox hooks install";
      return [warning('no_events', 'No event has come yet.', mend)];
    }
    const providers = [...new Set(database.events.map(({ provider }) => provider))];
    return providers.map((slug) =>
      eventsOf(
        slug,
        database.events.filter(({ provider }) => provider === slug),
        facts,
      ),
    );
  },
};

/** @param events newest first */
function eventsOf(slug: string, events: readonly LastEvent[], { settings, now }: Facts): Finding {
  const name = settings.registry.find(slug)?.name ?? slug;
  const shown = events
    .slice(0, SHOWN)
    .map(({ event, last_at }) => `${event} ${ago((now - last_at) / 1000)}`)
    .join(', ');
  const more = events.length > SHOWN ? `, and ${events.length - SHOWN} others` : '';
  return ok(`${name}: ${shown}${more}`, {
    provider: slug,
    events: events.map(({ event, count, last_at }) => ({ event, count, last_at })),
  });
}
