import { expect, it, onTestFinished } from 'vitest';
import type { ErrorCode } from '../../../protocol/errors.ts';
import { createProviderRegistry } from '../../../protocol/providers.ts';
import { connectLink } from '../../../runtime/link.ts';
import { linkedPair } from '../../../runtime/linked-pair.ts';
import { createLog } from '../../../runtime/log.ts';
import { Usage } from '../../../services/usage/usage.ts';
import { startBroker, type TestBroker } from '../../support/broker.ts';
import { viewBus } from '../../support/bus-viewer.ts';
import { until } from '../../support/until.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

async function start(bus: TestBroker) {
  const log = createLog({ level: 'silent', format: 'json', stream: { write: () => undefined } });
  const link = connectLink({
    topics: bus.topics,
    log,
    stream: () => {
      const [ours, theirs] = linkedPair();
      bus.broker.connectStream(theirs);
      return ours;
    },
  });
  onTestFinished(() => link.close());
  await link.ready();
  const rejects: { provider: string; code: ErrorCode }[] = [];
  const usage = new Usage({
    ...{ link, log, clock: virtualClock(), registry: createProviderRegistry() },
    reject: (provider, code) => rejects.push({ provider, code }),
  });
  onTestFinished(() => usage.stop());
  await usage.start();
  return { usage, rejects };
}

const report = (pct: number): string => JSON.stringify({ windows: [{ label: '5h', pct }] });
const pctOf = (payload: string | undefined): unknown =>
  (JSON.parse(payload ?? '{"windows":[{}]}') as { windows: { pct?: number }[] }).windows[0]?.pct;

it('retains the last report of each provider, whatever its name’s case', async () => {
  const bus = await startBroker();
  await start(bus);
  const tap = await bus.connect();
  for (const pct of [1, 2, 3]) await tap.publish('usage/Claude', report(pct));
  await tap.publish('usage/codex', report(9));
  const live = await viewBus({ port: bus.port });
  await until(
    () => pctOf(live.last('signal/claude/usage')) === 3 && pctOf(live.last('signal/codex/usage')) === 9,
  );
});

it('tells of what it refuses, and shows nothing of it', async () => {
  const bus = await startBroker();
  const { rejects } = await start(bus);
  const tap = await bus.connect();
  await tap.publish('usage/nobody', report(1));
  await tap.publish('usage/claude', '{"windows":[{"label":"5h","pct":"x"}]}');
  await tap.publish('usage/claude', '{');
  await tap.publish('usage/claude', '');
  await tap.publish('usage/claude', Buffer.from([0xff, 0xfe]));
  await until(() => rejects.length === 5);
  expect(rejects).toEqual([
    { provider: 'nobody', code: 'unknown_provider' },
    ...Array.from({ length: 4 }, () => ({ provider: 'claude', code: 'bad_shape' })),
  ]);
  await tap.publish('usage/codex', report(1));
  const live = await viewBus({ port: bus.port });
  await until(() => live.last('signal/codex/usage') !== undefined);
  expect(live.seen.map(({ topic }) => topic)).toEqual(['signal/codex/usage']);
});

it('keeps what a broker has kept from an earlier run, but for providers that are no more', async () => {
  const bus = await startBroker();
  const hub = await bus.hub();
  const kept = JSON.stringify({
    v: 1,
    windows: [{ label: '5h', pct: 42, resets_in_sec: null, duration_sec: null }],
    updated_at: 5,
  });
  for (const provider of ['claude', 'aider'])
    await hub.publish(`signal/${provider}/usage`, kept, { retain: true });
  await hub.publish('signal/codex/usage', 'broken', { retain: true });
  await start(bus);
  const live = await viewBus({ port: bus.port });
  await until(() => live.last('signal/claude/usage') !== undefined);
  await until(
    () => live.last('signal/aider/usage') === undefined && live.last('signal/codex/usage') === undefined,
  );
  expect(pctOf(live.last('signal/claude/usage'))).toBe(42);
});
