import { join } from 'node:path';
import { type AgentHooks, shellLine } from '../agent-hooks.ts';

/** Milliseconds, as in Gemini CLI, which it comes from. */
const TIMEOUT = 5_000;

const EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PermissionRequest',
  'PermissionDenied',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'Notification',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'PostCompact',
  'Stop',
  'StopFailure',
  'SessionEnd',
];

/** Qwen Code: JSON with comments. */
export const qwen: AgentHooks = {
  provider: 'qwen',
  folder: ({ home }) => join(home, '.qwen'),
  file: (machine) => join(qwen.folder(machine), 'settings.json'),
  form: { shape: 'groups', comments: true },
  hooks: ({ program }) =>
    EVENTS.map((event) => ({
      event,
      handler: {
        name: 'signalbox',
        type: 'command',
        command: shellLine([...program, 'qwen']),
        timeout: TIMEOUT,
      },
    })),
  invisible: ['a killed process'],
};
