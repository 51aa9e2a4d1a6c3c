import { topLevelText } from './top-level-text.ts';

/** Events whose hook has to answer with JSON, by slug; all others are answered with silence (spec: agents, section 1). */
const ANSWERED: Readonly<Record<string, 'all' | ReadonlySet<string>>> = {
  codex: new Set(['Stop', 'SubagentStop']),
  cursor: 'all',
};

/** "Go on, there is nothing to say." */
const ANSWER = '{}';

/** What the agent expects on stdout. @param event its name as the command line has it @param json the agent's own, asked for only where it matters */
export function expectedAnswer(provider: string, event: string | undefined, json: () => string): string {
  const answered = ANSWERED[provider.toLowerCase()];
  if (answered === undefined) return '';
  if (answered === 'all') return ANSWER;
  const name = event ?? topLevelText(json(), 'hook_event_name');
  return name !== undefined && answered.has(name) ? ANSWER : '';
}
