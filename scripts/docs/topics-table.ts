import { ROLES } from '../../protocol/roles.ts';
import { TOPICS } from '../../protocol/topics.ts';

/** The generated part of docs/topics.md: the topic table and who may what, from the code that builds topics and checks rights. */
export function topicsTable(): string {
  const topics = Object.values(TOPICS).map(
    ({ levels, qos, retained, publisher, payload }) =>
      `| \`${levels.join('/')}\` | ${qos} | ${retained ? 'yes' : 'no'} | ${publisher} | ${payload} |`,
  );
  const roles = Object.entries(ROLES).map(
    ([role, { publish, subscribe }]) =>
      `| ${role} | ${role === 'lamp' ? LAMPS : filters(publish)} | ${role === 'lamp' ? LAMPS : filters(subscribe)} |`,
  );
  return [
    '| topic | QoS | retained | published by | payload |',
    '|---|---|---|---|---|',
    ...topics,
    '',
    '| role | may publish | may subscribe |',
    '|---|---|---|',
    ...roles,
  ].join('\n');
}

/** A lamp's topics stand in the settings, not in the code. */
const LAMPS = 'the topics that its settings name';

function filters(list: readonly string[]): string {
  if (list.length === 0) return 'nothing';
  return list
    .map((filter) => (filter.startsWith('!') ? `but not \`${filter.slice(1)}\`` : `\`${filter}\``))
    .join(' ');
}
