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

export const GEMINI: Client = {
  name: 'Gemini',
  recordings: readRecordings('gemini-cli-0.61.0'),
  labels: readLabels('gemini'),
};

export const QWEN: Client = {
  name: 'Qwen',
  recordings: readRecordings('qwen-code-0.24.4'),
  labels: readLabels('qwen'),
};

export const COPILOT: Client = {
  name: 'Copilot',
  recordings: readRecordings('copilot-1.0.102'),
  labels: readLabels('copilot'),
};

export const OPENCODE: Client = {
  name: 'OpenCode',
  recordings: readRecordings('opencode-1.18.33'),
  labels: readLabels('opencode'),
};

/** Whose noise the scores are taken with. */
export const SEEDS = [1, 2, 3, 4, 5] as const;
