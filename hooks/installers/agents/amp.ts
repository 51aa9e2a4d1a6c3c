import { join } from 'node:path';
import type { AgentPlugin } from '../agent-hooks.ts';

/** Amp: a plugin in the user's folder. No event of it says that it waits for an approval. */
export const amp: AgentPlugin = {
  provider: 'amp',
  folder: ({ home }) => join(home, '.config', 'amp'),
  traces: ({ home }) => [join(home, '.local', 'share', 'amp'), join(home, '.cache', 'amp')],
  file: (machine) => join(amp.folder(machine), 'plugins', 'signalbox.ts'),
  plugin: {
    events: ['session.start', 'agent.start', 'tool.call', 'tool.result', 'agent.end'],
    // Versions of the interface's first time load no plugin without it.
    firstLine: '// @i-know-the-amp-plugin-api-is-wip-and-very-experimental-right-now',
  },
  afterwards: 'Threads that you start from now on load it; in one that is open, run "plugins: reload".',
  invisible: ['that it waits for an approval', 'a killed process'],
};
