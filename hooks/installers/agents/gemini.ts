import { join } from 'node:path';
import { type AgentHooks, shellLine } from '../agent-hooks.ts';

/** Milliseconds, unlike elsewhere. */
const TIMEOUT = 5_000;

const EVENTS = [
  'SessionStart',
  'BeforeAgent',
  'BeforeTool',
  'AfterTool',
  'Notification',
  'AfterAgent',
  'SessionEnd',
];

/** Gemini CLI: JSON with comments. Its events around the model fire for every chunk and are left out. */
export const gemini: AgentHooks = {
  provider: 'gemini',
  folder: ({ home }) => join(home, '.gemini'),
  file: (machine) => join(gemini.folder(machine), 'settings.json'),
  form: { shape: 'groups', comments: true },
  hooks: ({ program }) =>
    EVENTS.map((event) => ({
      event,
      handler: {
        name: 'signalbox',
        type: 'command',
        command: shellLine([...program, 'gemini']),
        timeout: TIMEOUT,
      },
    })),
  invisible: ['"No" and Esc in a dialog', "an error of the model's server while it retries"],
};
