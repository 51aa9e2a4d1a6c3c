import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { DEFAULT_TIMEOUTS, type Timeouts } from '../../../protocol/expiry.ts';
import { createTopics } from '../../../protocol/topics.ts';
import { connectLink, type Link } from '../../../runtime/link.ts';
import { linkedPair } from '../../../runtime/linked-pair.ts';
import { createLog } from '../../../runtime/log.ts';
import { type Aggregator, createAggregator } from '../../../services/aggregator/aggregator.ts';
import { openStore, type Store } from '../../../services/aggregator/store/hub-store.ts';
import { CONTEXT } from '../../support/adapting.ts';
import { startBroker } from '../../support/broker.ts';
import { type BusViewer, viewBus } from '../../support/bus-viewer.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';
import { type VirtualClock, virtualClock } from '../../support/virtual-clock.ts';

/** Real broker, link, database and aggregator in this process, under a clock that the test moves. */
export interface HubInProcess {
  readonly clock: VirtualClock;
  readonly aggregator: Aggregator;
  readonly store: Store;
  readonly home: string;
  readonly port: number;
  /** The broker's Unix socket: whoever comes through it is the user, and may ask. */
  readonly socketPath: string;
  readonly bus: BusViewer;
  /** The hub's own link: for whom it asks is believed, as of the HTTP port. */
  readonly link: Link;
  /** An event by hand: acknowledged when this resolves. */
  send(event: string, session: string, more?: object): Promise<void>;
  /** Messages since it was last asked, in order, once all that was published before has arrived: `topic payload`. */
  published(): Promise<string[]>;
}

export interface Settings {
  readonly home?: string;
  readonly clock?: VirtualClock;
  readonly timeouts?: Partial<Timeouts>;
  /** False as with another broker; true when left out. */
  readonly namesRequesters?: boolean;
}

/** Starts it; everything ends with the running test. */
export async function startInProcess(settings: Settings = {}): Promise<HubInProcess> {
  const {
    home = temporaryFolder(),
    clock = virtualClock(),
    timeouts = {},
    namesRequesters = true,
  } = settings;
  const topics = createTopics();
  const log = createLog({ level: 'silent', format: 'json', stream: { write: () => undefined } });
  const store = openStore({
    path: join(home, 'signalbox.db'),
    synchronous: 'normal',
    log,
    now: clock.now,
    // A lock that stays is to fail at once.
    busyTimeoutMs: 1,
    onRecovered: (recovered) => aggregator.recovered(recovered),
  });
  onTestFinished(() => store.close());
  const socketPath = join(temporaryFolder(), 'socket');
  const { broker, port } = await startBroker({
    socketPath,
    gate: async ({ params, payload }) => {
      const accepted = await aggregator.accept(params['provider'] ?? '', payload);
      return Buffer.from(accepted.ok ? JSON.stringify(accepted.event) : '');
    },
  });
  const link = connectLink({
    topics,
    log,
    stream: () => {
      const [ours, theirs] = linkedPair();
      broker.connectStream(theirs);
      return ours;
    },
  });
  onTestFinished(() => link.close());
  await link.ready();
  const aggregator: Aggregator = createAggregator({
    link,
    store,
    clock,
    log,
    adapting: CONTEXT,
    table: {
      registry: CONTEXT.registry,
      timeouts: { ...DEFAULT_TIMEOUTS, ...timeouts },
      rules: { background: 'all' },
      names: { roots: [], names: {} },
      sha256: CONTEXT.hasher.sha256,
    },
    presence: { hubId: 'hub0', version: '1.2.3', host: 'studio', features: [], nameOf: (slug) => slug },
    namesRequesters,
    historyDays: 30,
  });
  await aggregator.start();
  await aggregator.announce();
  onTestFinished(() => aggregator.stop());
  const bus = await viewBus({ port });

  async function send(event: string, session: string, more: object = {}): Promise<void> {
    const body = { event, session_id: session, cwd: `/srv/${session}`, ...more };
    const accepted = await aggregator.accept('claude', JSON.stringify(body));
    if (!accepted.ok) throw new Error(accepted.message);
  }

  let taken = 0;
  async function published(): Promise<string[]> {
    // The broker delivers in order, so what was published before this is there when it is.
    const mark = randomUUID();
    await link.publish('response', { command: 'mark' }, { transaction: mark, ok: true });
    await until(() => bus.seen.some(({ payload }) => payload.includes(mark)));
    const messages = bus.seen.slice(taken).filter(({ topic }) => !topic.startsWith('signalbox/'));
    taken = bus.seen.length;
    return messages.map(({ topic, payload }) => `${topic} ${payload}`);
  }

  // Retained messages have a stream of their own after a subscription.
  const atStart = [
    'signal/claude',
    'signal/codex',
    'lamp/claude',
    'lamp/codex',
    'lamp/all',
    'line',
    'signalbox/health',
  ];
  await until(() => atStart.every((topic) => bus.last(topic) !== undefined));
  await published();
  return { clock, aggregator, store, home, port, socketPath, bus, link, send, published };
}

/** What a message is about, without times: the signal's state and lamp, a session's state, a bare word. */
export function gist(message: string): string {
  const space = message.indexOf(' ');
  const [topic, payload] = [message.slice(0, space), message.slice(space + 1)];
  if (!payload.startsWith('{')) return `${topic} ${payload}`.trimEnd();
  const value = JSON.parse(payload) as Record<string, string>;
  if (topic.endsWith('/event'))
    return `${topic} ${value['from']} -> ${value['to']} (${value['event_type']}, ${value['reason']}, ${value['alert']})`;
  if (topic.startsWith('signal/')) {
    const { state, count } = value['attention'] as unknown as { state: string; count: number };
    return `${topic} ${state} ${count} ${value['lamp']} ${value['alert']}`;
  }
  return `${topic.replace(/[0-9a-f]{12}$/, '*')} ${value['project']} ${value['state']} ${value['lamp']}`;
}
