import { join } from 'node:path';
import { type AgentHooks, isAtLeast } from '../agent-hooks.ts';

/** What Claude waits for at most [s]; the sender ends long before. */
const TIMEOUT = 5;
/** All hooks of a session's end share 1.5 s, unless one in the settings asks for more [s]. */
const SESSION_END_TIMEOUT = 2;

interface Registered {
  readonly event: string;
  /** Claude does not wait for it: for events whose order nothing hangs on. */
  readonly async?: true;
  readonly timeout?: number;
  /** First version that may be handed it: an older one skips a settings file that names an event it doesn't know, whole; from 2.1.110 on it skips the event alone. */
  readonly from?: string;
}

/** WorktreeCreate is never among them: a hook there stands in for what git does (vendor's hook reference). */
const EVENTS: readonly Registered[] = [
  { event: 'SessionStart' },
  { event: 'UserPromptSubmit' },
  { event: 'PreToolUse' },
  { event: 'PermissionRequest' },
  { event: 'PermissionDenied', async: true, from: '2.1.88' },
  { event: 'PostToolUse', async: true },
  { event: 'PostToolUseFailure', async: true },
  { event: 'PostToolBatch', async: true, from: '2.1.110' },
  { event: 'Notification' },
  { event: 'Elicitation', from: '2.1.76' },
  { event: 'ElicitationResult', from: '2.1.76' },
  { event: 'SubagentStart', async: true },
  { event: 'SubagentStop', async: true },
  { event: 'PreCompact', async: true },
  { event: 'PostCompact', async: true, from: '2.1.76' },
  { event: 'PreModelSwitch', from: '2.1.110' },
  { event: 'PostModelSwitch', from: '2.1.110' },
  { event: 'Stop' },
  { event: 'StopFailure', from: '2.1.78' },
  { event: 'SessionEnd', timeout: SESSION_END_TIMEOUT },
];

/** Claude Code: strict JSON, handlers in the form without a shell (2.1.139). */
export const claude: AgentHooks = {
  provider: 'claude',
  program: 'claude',
  // Its installer's, and that of versions which lay there until they moved.
  programFolders: (machine) => [
    join(machine.home, '.local', 'bin'),
    join(machine.home, '.claude', 'local'),
    join(machine.home, '.claude', 'local', 'node_modules', '.bin'),
  ],
  folder: ({ env, home }) => env['CLAUDE_CONFIG_DIR'] || join(home, '.claude'),
  file: (machine) => join(claude.folder(machine), 'settings.json'),
  form: { shape: 'groups', comments: false },
  hooks: ({ program: [command, ...before] }, version) =>
    EVENTS.filter(({ from }) => from === undefined || isAtLeast(version, from)).map(
      ({ event, async, timeout = TIMEOUT }) => ({
        event,
        handler: {
          type: 'command',
          command,
          args: [...before, 'claude'],
          timeout,
          ...(async && { async }),
        },
      }),
    ),
  afterwards: 'Sessions that run take them up by themselves, in folders that you have trusted.',
  invisible: [
    'Esc, "No", and an answer before its tool has run',
    'a killed process',
    'some dialogs of its own, such as /resume',
  ],
};
