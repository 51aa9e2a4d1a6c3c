import { join } from 'node:path';
import { type AgentHooks, type SenderCommand, senderLine } from '../agent-hooks.ts';
import { powershellLine } from '../shell-lines.ts';

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
 * `|| true`, `exit 0` keep a sender that was deleted from doing that.
 */
export const copilot: AgentHooks = {
  provider: 'copilot',
  folder: ({ env, home }) => env['COPILOT_HOME'] || join(home, '.copilot'),
  file: (machine) => join(copilot.folder(machine), 'hooks', 'signalbox.json'),
  form: { shape: 'handlers', comments: false, preamble: { version: 1 } },
  hooks: (sender) =>
    EVENTS.map((event) => ({
      event,
      handler: { type: 'command', ...lineOf(sender, event), timeoutSec: TIMEOUT },
    })),
  invisible: ['Esc and "No" in a dialog', 'which error ends a turn'],
};

function lineOf(sender: SenderCommand, event: string): { bash: string } | { powershell: string } {
  return sender.platform === 'win32'
    ? { powershell: `${powershellLine([...sender.program, 'copilot', event])}; exit 0` }
    : { bash: `${senderLine(sender, 'copilot', event)} || true` };
}
