import { Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { createProviderRegistry } from '../../protocol/providers.ts';
import { systemClock } from '../../runtime/clock.ts';
import { connectLink } from '../../runtime/link.ts';
import { linkedPair } from '../../runtime/linked-pair.ts';
import { createLog } from '../../runtime/log.ts';
import type { HttpOptions, HttpService, Verdict } from '../../services/http/http-options.ts';
import { createMetrics } from '../../services/http/metrics.ts';
import { createHttpService } from '../../services/http/server.ts';
import { startBroker, type TestBroker } from './broker.ts';

/** The HTTP service alone, on a real bus without a hub. */
export interface TestHttp {
  readonly port: number;
  readonly url: string;
  /** What came through the door. */
  readonly accepted: { provider: string; payload: string; tell: boolean }[];
  readonly log: string[];
  readonly service: HttpService;
  readonly bus: TestBroker;
}

export const TOKEN = 'a-token-of-the-tests-0123456789';

/** Starts it on a free port; everything ends with the running test. */
export async function startHttp(
  verdict: () => Promise<Verdict> = async () => ({ ok: true }),
  options: Partial<HttpOptions> = {},
): Promise<TestHttp> {
  const accepted: TestHttp['accepted'] = [];
  const log: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      log.push(chunk.toString());
      done();
    },
  });
  const bus = await startBroker({ ...(options.ownHosts && { ownHosts: options.ownHosts }) });
  const quiet = createLog({ level: 'silent', format: 'json', stream });
  const link = connectLink({
    topics: bus.topics,
    log: quiet,
    stream: () => {
      const [ours, theirs] = linkedPair();
      bus.broker.connectStream(theirs);
      return ours;
    },
  });
  onTestFinished(() => link.close());
  await link.ready();
  const service = createHttpService({
    listen: { host: '127.0.0.1', port: 0 },
    token: TOKEN,
    accept: (provider, payload, { tell }) => {
      accepted.push({ provider, payload: Buffer.from(payload).toString(), tell });
      return verdict();
    },
    view: {
      signals: () => [],
      sessions: () => [],
      counts: () => ({ events: [], rejects: new Map(), sessions: new Map() }),
    },
    link,
    registry: createProviderRegistry(),
    metrics: createMetrics(),
    clients: () => bus.broker.clients(),
    notifications: () => undefined,
    version: '1.2.3',
    clock: systemClock(),
    log: createLog({ level: 'debug', format: 'json', stream }),
    ...options,
  });
  onTestFinished(() => service.stop());
  const { port } = await service.start();
  return { port, url: `http://127.0.0.1:${port}`, accepted, log, service, bus };
}
