import type { Session } from '../../protocol/session.ts';
import { sessionId } from '../../protocol/session-key.ts';
import type { ProviderRegistry } from '../../protocol/providers.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Config } from '../../runtime/config/schema.ts';
import type { NotifySecrets } from '../../runtime/config/load.ts';
import type { Link } from '../../runtime/link.ts';
import type { Log } from '../../runtime/log.ts';
import type { Paths } from '../../runtime/paths.ts';
import { lastTerminalInput } from '../../runtime/terminal-input.ts';
import type { Aggregator } from '../../services/aggregator/aggregator.ts';
import { createNotifier, type Notifier } from '../../services/notifier/notifier.ts';
import type { Closers } from './closers.ts';

export interface HubNotifierOptions {
  readonly config: Config;
  readonly paths: Pick<Paths, 'notifierDatabase'>;
  readonly secrets: NotifySecrets;
  readonly link: Link;
  readonly aggregator: Aggregator;
  readonly registry: ProviderRegistry;
  readonly hubId: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly closers: Closers;
}

/** Starts the notifier where the settings want it. It hears of sessions on the bus like anybody; only where their processes are comes from the aggregator, since no topic tells. */
export async function startNotifier(options: HubNotifierOptions): Promise<Notifier | undefined> {
  const { config, paths, secrets, link, aggregator, registry, hubId, clock, log, closers } = options;
  if (!config.notify.enabled) return undefined;
  const pids = new Map<string, number>();
  closers.add(
    'notifier’s processes',
    aggregator.onSessions((changed) => {
      for (const [id, session] of changed) notePid(pids, id, session, config.host);
    }),
  );
  const notifier = createNotifier({
    link,
    clock,
    log: log.child({ component: 'notifier' }),
    settings: config.notify,
    secrets,
    database: paths.notifierDatabase,
    synchronous: config.database.synchronous,
    historyDays: config.history.days,
    hubId,
    nameOf: (slug) => registry.find(slug)?.name ?? slug,
    lastInput(provider, key) {
      const pid = pids.get(sessionId(provider, key));
      return pid === undefined ? undefined : lastTerminalInput(pid, clock.now());
    },
    random: Math.random,
  });
  closers.add('notifier', () => notifier.stop());
  await notifier.start();
  closers.add(
    'notifier’s state',
    notifier.onChange(() => aggregator.tellHealth()),
  );
  return notifier;
}

/** The agent's process, while it is known to live and is on this machine. */
function notePid(pids: Map<string, number>, id: string, session: Session | undefined, host: string): void {
  const pid = session?.host === host ? session.process?.pid : undefined;
  if (pid === undefined) pids.delete(id);
  else pids.set(id, pid);
}
