import { matches } from '../../protocol/roles.ts';
import type { SignalPayload } from '../../protocol/messages/signal.ts';
import { connect, type ConnectOptions } from './mqtt-client.ts';
import { until } from './until.ts';

/** One message as it came. */
export interface Seen {
  readonly topic: string;
  readonly payload: string;
  readonly retained: boolean;
}

/** Looks on: all messages in order, and the last value of every topic. */
export interface BusViewer {
  readonly seen: readonly Seen[];
  /** Payloads of the topics that a filter covers, in order. */
  of(filter: string): string[];
  /** The last payload of a topic; `undefined` before the first and after it was cleared. */
  last(topic: string): string | undefined;
  signal(provider: string): SignalPayload | undefined;
  /** Waits for the first signal that is as wanted, from the one on that was last waited for: none is missed, however slowly this looks. */
  untilSignal(provider: string, wanted: (signal: SignalPayload) => boolean): Promise<SignalPayload>;
  close(): Promise<void>;
}

/** Subscribes to all that the connection's role may see. What is retained arrives soon after. */
export async function viewBus(
  options: ConnectOptions,
  filters: readonly string[] = ['#'],
): Promise<BusViewer> {
  const client = await connect(options);
  const seen: Seen[] = [];
  const last = new Map<string, string>();
  const from = new Map<string, number>();
  client.mqtt.on('message', (topic, payload, { retain }) => {
    const message = { topic, payload: payload.toString(), retained: retain };
    seen.push(message);
    if (message.payload === '') last.delete(topic);
    else last.set(topic, message.payload);
  });
  const granted = await client.subscribe(...filters);
  if (granted.includes(128)) throw new Error(`refused: ${filters.join(' ')}`);

  const viewer: BusViewer = {
    seen,
    of: (filter) => seen.filter(({ topic }) => matches(filter, topic)).map(({ payload }) => payload),
    last: (topic) => last.get(topic),
    signal(provider) {
      const payload = last.get(`signal/${provider}`);
      return payload === undefined ? undefined : (JSON.parse(payload) as SignalPayload);
    },
    async untilSignal(provider, wanted) {
      let at = from.get(provider) ?? 0;
      await until(() => {
        for (; at < seen.length; at += 1) {
          const { topic, payload } = seen[at] as Seen;
          if (topic === `signal/${provider}` && payload !== '' && wanted(JSON.parse(payload))) return true;
        }
        return false;
      });
      from.set(provider, at);
      return JSON.parse((seen[at] as Seen).payload) as SignalPayload;
    },
    close: () => client.close(),
  };
  return viewer;
}
