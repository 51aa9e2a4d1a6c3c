import { isAbsolute, join } from 'node:path';
import type { AgentPlugin } from '../agent-hooks.ts';

/** OpenCode: a plugin in its folder, which it loads by itself. It follows XDG on macOS too. */
export const opencode: AgentPlugin = {
  provider: 'opencode',
  folder: ({ env, home }) => {
    const { OPENCODE_CONFIG_DIR: own = '', XDG_CONFIG_HOME: xdg = '' } = env;
    return isAbsolute(own) ? own : join(isAbsolute(xdg) ? xdg : join(home, '.config'), 'opencode');
  },
  traces: ({ env, home }) => {
    const { XDG_DATA_HOME: data = '' } = env;
    return [join(isAbsolute(data) ? data : join(home, '.local', 'share'), 'opencode')];
  },
  file: (machine) => join(opencode.folder(machine), 'plugins', 'signalbox.js'),
  plugin: {
    events: [
      'session.created',
      'chat.message',
      'tool.execute.before',
      'tool.execute.after',
      'permission.asked',
      'permission.replied',
      'question.asked',
      'question.replied',
      'question.rejected',
      'session.status',
      'session.idle',
      'session.error',
      'session.deleted',
    ],
  },
  afterwards: 'Sessions that you start from now on load it.',
  invisible: ['that it was quit or killed'],
};
