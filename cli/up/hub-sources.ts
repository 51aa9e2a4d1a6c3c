import type { Hasher } from '../../protocol/events.ts';
import type { AgentFolders } from '../../runtime/config/agent-folders.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Config } from '../../runtime/config/schema.ts';
import type { Log } from '../../runtime/log.ts';
import type { Aggregator } from '../../services/aggregator/aggregator.ts';
import { createSources, type Sources } from '../../services/sources/sources.ts';
import type { Closers } from './closers.ts';

export interface HubSourcesOptions {
  readonly aggregator: Aggregator;
  readonly config: Config;
  readonly folders: AgentFolders;
  readonly hasher: Hasher;
  readonly clock: Clock;
  readonly log: Log;
  readonly closers: Closers;
}

/**
 * Joins the second sources with the aggregator: they hear of its sessions, and it hears what they find, in order with the events. What they find at the start is not live:
 * like what was spooled, a wait among it alerts once, a little later (spec: state, section 4 rule 11).
 */
export async function startSources(options: HubSourcesOptions): Promise<Sources> {
  const { aggregator, config, folders, hasher, clock, log, closers } = options;
  const { host } = config;
  let found: Promise<void> = Promise.resolve();
  const sources = createSources({
    clock,
    log: log.child({ component: 'sources' }),
    host,
    folders,
    hasher,
    enabled: config.sources,
    tell: (report, moment, live = true) => {
      found = aggregator.observe({ ...report, host }, moment, { live });
    },
    report: (event, live = true) => {
      aggregator
        .accept(event.provider, JSON.stringify({ ...event, host }), { live, found: true })
        .catch((error: unknown) => {
          log.warn('what a second source told was not kept', { error });
        });
    },
    stateChanged: () => aggregator.tellHealth(),
  });
  closers.add('sources', () => sources.stop());
  const unfollow = aggregator.onSessions((changed) => sources.changed(changed));
  closers.add('sessions', unfollow);
  await sources.start();
  await found;
  aggregator.drained();
  return sources;
}
