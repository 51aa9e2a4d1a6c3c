import type { Duplex } from 'node:stream';
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt';
import { onTestFinished } from 'vitest';
import { matches } from '../../protocol/roles.ts';

export interface Message {
  readonly topic: string;
  readonly payload: string;
  readonly retained: boolean;
  readonly qos: number;
}

/** MQTT.js for tests: it never reconnects, keeps what it receives until somebody asks, and ends with the test. */
export interface TestClient {
  readonly mqtt: MqttClient;
  /** Subscribes with QoS 1; returns the granted return codes, 128 for refused. */
  subscribe(...filters: string[]): Promise<number[]>;
  publish(
    topic: string,
    payload: string | Buffer,
    options?: { qos?: 0 | 1 | 2; retain?: boolean },
  ): Promise<void>;
  /** The first message not yet taken on a topic that the filter covers. */
  nextMessage(filter: string): Promise<Message>;
  /** Fails when a message that the filter covers is there or arrives within `ms`. */
  expectSilence(filter: string, ms?: number): Promise<void>;
  /** Messages not yet taken. */
  readonly messages: readonly Message[];
  close(): Promise<void>;
}

export type ConnectOptions = IClientOptions & {
  /** TCP port on 127.0.0.1. */
  readonly port?: number;
  readonly url?: string;
  /** The client's end of a pair. */
  readonly stream?: Duplex;
  /** Unix socket. */
  readonly path?: string;
};

/** Connects and waits for the CONNACK; rejects when the broker refuses. */
export async function connect({ url, stream, ...options }: ConnectOptions): Promise<TestClient> {
  const settings: IClientOptions = { reconnectPeriod: 0, connectTimeout: 10_000, ...options };
  const client =
    stream === undefined
      ? mqtt.connect(url ?? urlOf(options), settings)
      : new mqtt.MqttClient(() => stream, settings);
  onTestFinished(() => client.endAsync(true).then(() => undefined));
  const messages: Message[] = [];
  const waiting = new Set<{ filter: string; resolve: (message: Message) => void }>();

  client.on('message', (topic, payload, { retain, qos }) => {
    const message = { topic, payload: payload.toString(), retained: retain, qos };
    for (const waiter of waiting) {
      if (matches(waiter.filter, topic)) {
        waiting.delete(waiter);
        waiter.resolve(message);
        return;
      }
    }
    messages.push(message);
  });
  client.on('error', () => undefined);

  await new Promise<void>((resolve, reject) => {
    client.once('connect', () => resolve());
    client.once('error', reject);
    client.once('close', () => reject(new Error('closed before CONNACK')));
  });

  return {
    mqtt: client,
    messages,
    async subscribe(...filters) {
      try {
        const granted = await client.subscribeAsync(filters, { qos: 1 });
        return granted.map(({ qos }) => qos);
      } catch (error) {
        // MQTT.js makes an error of a SUBACK with a refusal in it.
        const packet = (error as { packet?: { granted?: number[] } }).packet;
        if (packet?.granted === undefined) throw error;
        return packet.granted;
      }
    },
    async publish(topic, payload, { qos = 1, retain = false } = {}) {
      await client.publishAsync(topic, payload, { qos, retain });
    },
    nextMessage(filter) {
      const index = messages.findIndex(({ topic }) => matches(filter, topic));
      const [found] = index < 0 ? [] : messages.splice(index, 1);
      if (found !== undefined) return Promise.resolve(found);
      return new Promise((resolve) => waiting.add({ filter, resolve }));
    },
    async expectSilence(filter, ms = 50) {
      await new Promise((resolve) => setTimeout(resolve, Math.min(ms, 50)));
      const heard = messages.find(({ topic }) => matches(filter, topic));
      if (heard !== undefined) throw new Error(`heard ${heard.topic}: ${heard.payload}`);
    },
    async close() {
      await client.endAsync(true);
    },
  };
}

function urlOf({ port, path }: { port?: number; path?: string }): string {
  return path === undefined ? `mqtt://127.0.0.1:${port}` : `mqtt+unix://${path}`;
}
