import { join } from 'node:path';
import { type AgentHooks, senderLine } from '../agent-hooks.ts';

/** Milliseconds, unlike elsewhere. */
const TIMEOUT = 5_000;

/** Where Gemini CLI and what came from it keep their hooks: JSON with comments, in a folder of the agent's name. */
export function geminiSettings(
  provider: string,
  events: readonly string[],
): Pick<AgentHooks, 'provider' | 'folder' | 'file' | 'form' | 'hooks'> {
  const folder: AgentHooks['folder'] = ({ home }) => join(home, `.${provider}`);
  return {
    provider,
    folder,
    file: (machine) => join(folder(machine), 'settings.json'),
    form: { shape: 'groups', comments: true },
    hooks: (sender) => {
      const command = senderLine(sender, provider);
      const handler = { name: 'signalbox', type: 'command', command, timeout: TIMEOUT };
      return events.map((event) => ({ event, handler }));
    },
  };
}
