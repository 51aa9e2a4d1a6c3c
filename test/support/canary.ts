/** One sentence that must never come out; as a sentence it can't pass as a word either. */
export const CANARY = 'the canary sings';

/**
 * Where text passes by design (spec: agents, section 1): ids, paths, names of tools and agents, the event's name, read at the top level only. Of
 * background work only the id passes.
 */
const PASSES = new Set([
  ...['session_id', 'cwd', 'transcript_path', 'prompt_id', 'turn_id', 'agent_id', 'agent_type', 'tool_name'],
  ...[
    'tool_use_id',
    'elicitation_id',
    'hook_event_name',
    'type',
    'thread-id',
    'turn-id',
    'background_tasks.*.id',
    'event',
    'tool',
  ],
  // Copilot's and OpenCode's names for the same.
  ...['sessionId', 'transcriptPath', 'toolName', 'agentId', 'agentType', 'parentAgentId', 'parent_agent_id'],
  ...['id', 'call', 'sessionID', 'callID', 'parentID', 'directory'],
  ...['id', 'sessionID', 'callID', 'requestID', 'permission', 'type', 'tool.callID'].map(
    (name) => `properties.${name}`,
  ),
  ...['id', 'sessionID', 'parentID', 'directory'].map((name) => `properties.info.${name}`),
  // Cursor's.
  ...['conversation_id', 'generation_id', 'parent_conversation_id', 'subagent_id', 'subagent_type'],
  'workspace_roots.*',
]);

/** An agent's payload with the canary in every text but those that pass, and under a key of its own at every level. */
export function planted(payload: unknown): Record<string, unknown> {
  return plant(payload, '') as Record<string, unknown>;
}

/** @param path of the value, a list's index as `*` */
function plant(value: unknown, path: string): unknown {
  if (typeof value === 'string') return PASSES.has(path) ? value : CANARY;
  if (Array.isArray(value)) return value.map((entry) => plant(entry, `${path}.*`));
  if (typeof value !== 'object' || value === null) return value;
  const prefix = path === '' ? '' : `${path}.`;
  const own = Object.entries(value).map(([key, content]) => [key, plant(content, prefix + key)]);
  return Object.fromEntries([...own, [CANARY, CANARY]]);
}
