import { Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { linkedPair } from '../../runtime/linked-pair.ts';
import type {
  Broker,
  BrokerOptions,
  GatedPublish,
  Limits,
  PublishGate,
  RejectCode,
  RejectInfo,
} from '../../broker/options.ts';
import { createBroker } from '../../broker/server.ts';
import { createTopics, type Topics } from '../../protocol/topics.ts';
import { createLog } from '../../runtime/log.ts';
import { connect, type ConnectOptions, type TestClient } from './mqtt-client.ts';

export interface TestBroker {
  readonly broker: Broker;
  readonly port: number;
  readonly topics: Topics;
  /** What came to the gate, in order. */
  readonly gated: GatedPublish[];
  readonly rejects: { code: RejectCode; info: RejectInfo }[];
  /** Log lines so far. */
  readonly log: readonly string[];
  /** A client over TCP. */
  connect(options?: ConnectOptions): Promise<TestClient>;
  /** A client in this process: role hub. */
  hub(options?: ConnectOptions): Promise<TestClient>;
}

export type TestBrokerOptions = Partial<Omit<BrokerOptions, 'limits'>> & {
  readonly limits?: Partial<Limits>;
  readonly prefix?: string;
};

/** What the default gate puts in the place of every payload. */
export const CUT_DOWN = '{"cut":"down"}';

/** Starts a broker on a free port that is stopped with the running test. The default gate resolves at once, to `CUT_DOWN`. */
export async function startBroker(options: TestBrokerOptions = {}): Promise<TestBroker> {
  const { prefix = '', ...given } = options;
  const topics = createTopics(prefix);
  const gated: GatedPublish[] = [];
  const rejects: { code: RejectCode; info: RejectInfo }[] = [];
  const lines: string[] = [];
  const gate: PublishGate = options.gate ?? (async () => Buffer.from(CUT_DOWN));
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const broker = createBroker({
    hubId: 'test-hub',
    topics,
    onReject: (code, info) => rejects.push({ code, info }),
    listen: { host: '127.0.0.1', port: 0 },
    log: createLog({ level: 'debug', format: 'json', stream }),
    ...given,
    gate: (publish) => {
      gated.push(publish);
      return gate(publish);
    },
  });
  onTestFinished(() => broker.stop());
  const { port } = await broker.start();
  return {
    broker,
    port,
    topics,
    gated,
    rejects,
    log: lines,
    connect: (more) => connect({ port, ...more }),
    hub: (more) => {
      const [theirs, ours] = linkedPair();
      broker.connectStream(theirs);
      return connect({ stream: ours, ...more });
    },
  };
}
