import type { EventName } from '../events.ts';
import { CLAUDE_EVENTS } from './claude.ts';

/**
 * CodeBuddy Code's hook events (codebuddy.ai/docs/cli/hooks): Claude Code's names and payloads, nine of them in 1.16 and the whole family later. PreCompact says nothing
 * here: with the nine alone nobody tells the end of a compaction.
 */
export const CODEBUDDY_EVENTS: ReadonlyMap<string, EventName> = new Map<string, EventName>([
  ...CLAUDE_EVENTS,
  ['PreCompact', 'Other'],
]);
