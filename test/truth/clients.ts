import type { Client } from './measure.ts';
import { readLabels, readRecordings } from './recordings.ts';

/** The recordings that lie in test/fixtures, read once. */
export const CLAUDE: Client = {
  name: 'Claude Code',
  recordings: readRecordings('claude-code-2.1.332'),
  labels: {},
};

export const CODEX: Client = {
  name: 'Codex',
  recordings: readRecordings('codex-0.171.0'),
  labels: readLabels('codex'),
};

/** Whose noise the scores are taken with. */
export const SEEDS = [1, 2, 3, 4, 5] as const;
