import { join } from 'node:path';
import { type AgentHooks, senderLine } from '../agent-hooks.ts';

const EVENTS = [
  'sessionStart',
  'beforeSubmitPrompt',
  'postToolUse',
  'postToolUseFailure',
  'stop',
  'sessionEnd',
];

/** Cursor. No event of it says that it waits for an approval; the ones that carry content are left out. */
export const cursor: AgentHooks = {
  provider: 'cursor',
  folder: ({ home }) => join(home, '.cursor'),
  file: (machine) => join(cursor.folder(machine), 'hooks.json'),
  form: { shape: 'handlers', comments: false, preamble: { version: 1 } },
  hooks: (sender) => EVENTS.map((event) => ({ event, handler: { command: senderLine(sender, 'cursor') } })),
  invisible: ['that it waits for an approval'],
};
