import { readFileSync } from 'node:fs';
import { configurationReference } from '../../runtime/config/reference.ts';
import { openApi } from '../../services/http/openapi.ts';
import { agentsByHand } from './agents-by-hand.ts';
import { claudePluginHooks } from './claude-plugin.ts';
import { errorsTable } from './errors-table.ts';
import { demoRecordings } from '../demo/recorded-events.ts';
import { topicsTable } from './topics-table.ts';

/** A file that is generated, wholly or between two marks. */
export interface GeneratedDoc {
  readonly path: string;
  /** The file as it should be. @param now the file as it is */
  readonly render: (now: string) => string;
}

const BEGIN = '<!-- generated: begin -->';
const END = '<!-- generated: end -->';

export const GENERATED_DOCS: readonly GeneratedDoc[] = [
  { path: 'docs/configuration.md', render: () => configurationReference() },
  { path: 'docs/troubleshooting.md', render: (now) => between(now, errorsTable()) },
  { path: 'docs/agents.md', render: (now) => between(now, agentsByHand()) },
  { path: 'docs/topics.md', render: (now) => between(now, topicsTable()) },
  { path: 'docs/openapi.json', render: () => openApiDocument() },
  { path: 'hooks/plugin/signalbox/hooks/hooks.json', render: () => claudePluginHooks() },
  { path: 'cli/demo/recorded-events.ts', render: () => demoRecordings() },
];

/** The HTTP interface, as the hub itself serves it. */
function openApiDocument(): string {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  return `${JSON.stringify(openApi(version), undefined, 2)}\n`;
}

/** Puts text between the marks. @throws RangeError when a mark is missing */
function between(file: string, text: string): string {
  const begin = file.indexOf(BEGIN);
  const end = file.indexOf(END);
  if (begin < 0 || end < begin) throw new RangeError('the marks of the generated part are missing');
  return `${file.slice(0, begin + BEGIN.length)}\n\n${text}\n\n${file.slice(end)}`;
}
