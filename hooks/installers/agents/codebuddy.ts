import { join } from 'node:path';
import { type AgentHooks, senderLine } from '../agent-hooks.ts';
import { gitBashLine } from '../shell-lines.ts';

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
  hooks: (sender) => {
    // On Windows it needs Git's bash, as Claude Code did.
    const command =
      sender.platform === 'win32'
        ? gitBashLine([...sender.program, 'codebuddy'])
        : senderLine(sender, 'codebuddy');
    return EVENTS.map((event) => ({ event, handler: { type: 'command', command, timeout: TIMEOUT } }));
  },
  afterwards: 'Approve them with "/hooks" in CodeBuddy.',
  invisible: ['Esc and "No"', 'a killed process'],
};
