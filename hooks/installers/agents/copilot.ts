import { join } from 'node:path';
import { type AgentHooks, shellLine } from '../agent-hooks.ts';

const TIMEOUT = 5;

const EVENTS = [
  'sessionStart',
  'userPromptSubmitted',
  'preToolUse',
  'postToolUse',
  'postToolUseFailure',
  'notification',
  'subagentStart',
  'subagentStop',
  'agentStop',
  'errorOccurred',
  'sessionEnd',
];

/**
 * GitHub Copilot CLI: a file of our own among its hook files. Its payloads bear no event's name, so the sender is told it. A hook that fails before a tool denies the tool:
 * `|| true` keeps a sender that was deleted from doing that.
 */
export const copilot: AgentHooks = {
  provider: 'copilot',
  folder: ({ env, home }) => env['COPILOT_HOME'] || join(home, '.copilot'),
  file: (machine) => join(copilot.folder(machine), 'hooks', 'signalbox.json'),
  form: { shape: 'handlers', comments: false, preamble: { version: 1 } },
  hooks: ({ program }) =>
    EVENTS.map((event) => ({
      event,
      handler: {
        type: 'command',
        bash: `${shellLine([...program, 'copilot', event])} || true`,
        timeoutSec: TIMEOUT,
      },
    })),
  invisible: ['Esc and "No" in a dialog', 'which error ends a turn'],
};
