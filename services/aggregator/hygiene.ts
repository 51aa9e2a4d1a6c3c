import type { SessionTable } from '../../protocol/table.ts';
import type { TopicName, TopicParams } from '../../protocol/topics.ts';
import type { Link, Unsubscribe } from '../../runtime/link.ts';
import { barrier } from '../../runtime/barrier.ts';

/** The aggregator's retained roots with a parameter: what an earlier run left there and the table doesn't hold is cleared. */
const ROOTS = ['signal', 'lamp', 'session'] as const satisfies readonly TopicName[];

/** Reads the aggregator's own retained topics back and clears those that stand for nothing any more (spec: bus, "Retained hygiene"). */
export async function clearLeftovers(link: Link, table: SessionTable, hubId: string): Promise<void> {
  const found: { name: TopicName; params: TopicParams }[] = [];
  const ends: Unsubscribe[] = [];
  for (const root of ROOTS) {
    ends.push(
      await link.subscribe(root, {}, ({ name, params, payload, retained }) => {
        if (retained && payload.length > 0) found.push({ name, params });
      }),
    );
  }
  await barrier(link, hubId);
  await Promise.all(ends.map((end) => end()));
  const providers = new Set(table.providers());
  const left = found.filter(({ name, params }) =>
    name === 'session'
      ? table.session(params['provider'] ?? '', params['key'] ?? '') === undefined
      : name !== 'lampAll' && !providers.has(params['provider'] ?? ''),
  );
  await Promise.all(left.map(({ name, params }) => link.publish(name, params, '')));
}
