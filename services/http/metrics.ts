import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { ErrorCode } from '../../protocol/errors.ts';
import { ATTENTION_STATES, type AttentionState } from '../../protocol/states.ts';

/** What is counted elsewhere, for `/metrics`. */
export interface Counts {
  readonly events: readonly { readonly provider: string; readonly outcome: string; readonly count: number }[];
  readonly rejects: ReadonlyMap<ErrorCode, number>;
  readonly sessions: ReadonlyMap<AttentionState, number>;
}

/** What Prometheus reads (spec: consumers, section 1). Whatever is counted elsewhere is read there when it is asked for; no label has a value that somebody outside can make up. */
export interface Metrics {
  /** An event's changes were published. @param ms after its arrival */
  published(ms: number): void;
  /** The metrics as text, with their content type. */
  text(
    counts: Counts,
    more: {
      /** Of the embedded broker. */
      readonly clients: number;
      /** What became of messages to phones, by a word of ours; nothing where none are sent. */
      readonly notifications: Readonly<Record<string, number>> | undefined;
    },
  ): Promise<{ readonly type: string; readonly text: string }>;
}

/** [s] */
const BUCKETS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1, 5];

export function createMetrics(): Metrics {
  const registers = [new Registry()];
  const [registry = new Registry()] = registers;
  const events = new Counter({
    name: 'signalbox_events_total',
    help: 'Events that came, by provider (empty: none that is known) and outcome.',
    labelNames: ['provider', 'outcome'],
    registers,
  });
  const rejects = new Counter({
    name: 'signalbox_rejects_total',
    help: 'Events and messages that were refused, by code.',
    labelNames: ['code'],
    registers,
  });
  const latency = new Histogram({
    name: 'signalbox_hook_to_publish_seconds',
    help: 'From the arrival of an event until what it changed was committed and published.',
    buckets: BUCKETS,
    registers,
  });
  const sessions = new Gauge({
    name: 'signalbox_sessions',
    help: 'Sessions by state.',
    labelNames: ['state'],
    registers,
  });
  const notifications = new Counter({
    name: 'signalbox_notifications_total',
    help: 'What was decided about messages to phones, by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  const brokerClients = new Gauge({
    name: 'signalbox_broker_clients',
    help: 'Clients of the embedded broker.',
    registers,
  });

  return {
    published: (ms) => latency.observe(ms / 1000),
    async text(counts, more) {
      events.reset();
      for (const { provider, outcome, count } of counts.events) events.inc({ provider, outcome }, count);
      rejects.reset();
      for (const [code, count] of counts.rejects) rejects.inc({ code }, count);
      for (const state of ATTENTION_STATES) sessions.set({ state }, counts.sessions.get(state) ?? 0);
      notifications.reset();
      for (const [outcome, count] of Object.entries(more.notifications ?? {}))
        notifications.inc({ outcome }, count);
      brokerClients.set(more.clients);
      return { type: registry.contentType, text: await registry.metrics() };
    },
  };
}
