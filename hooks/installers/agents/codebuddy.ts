import { join } from 'node:path';
import { type AgentHooks, shellLine } from '../agent-hooks.ts';

const TIMEOUT = 5;

const EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'Notification',
  'SubagentStop',
  'PreCompact',
  'Stop',
  'SessionEnd',
];

/** CodeBuddy Code: Claude Code's form, as it was before handlers without a shell. */
export const codebuddy: AgentHooks = {
  provider: 'codebuddy',
  folder: ({ home }) => join(home, '.codebuddy'),
  file: (machine) => join(codebuddy.folder(machine), 'settings.json'),
  form: { shape: 'groups', comments: false },
  hooks: ({ program }) =>
    EVENTS.map((event) => ({
      event,
      handler: { type: 'command', command: shellLine([...program, 'codebuddy']), timeout: TIMEOUT },
    })),
  afterwards: 'Approve them with "/hooks" in CodeBuddy.',
  invisible: ['Esc and "No"', 'a killed process'],
};
