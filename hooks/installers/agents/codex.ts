import { join } from 'node:path';
import { type AgentHooks, senderLine } from '../agent-hooks.ts';

const TIMEOUT = 5;
/** What Codex gives the two that it doesn't wait for long [s]. */
const SHORT_TIMEOUT = 3;

/** All are synchronous: versions before 0.148 skip one that isn't. Events that a version doesn't know it passes over. */
const EVENTS: readonly { readonly event: string; readonly timeout?: number }[] = [
  { event: 'SessionStart' },
  { event: 'UserPromptSubmit' },
  { event: 'PreToolUse' },
  { event: 'PermissionRequest' },
  { event: 'PostToolUse' },
  { event: 'PreCompact' },
  { event: 'PostCompact' },
  { event: 'SubagentStart' },
  { event: 'SubagentStop' },
  { event: 'Stop' },
  { event: 'SessionEnd', timeout: SHORT_TIMEOUT },
  { event: 'Interrupt', timeout: SHORT_TIMEOUT },
];

/** Codex: strict JSON in a file of its own; a hook runs once the user has trusted exactly its text. */
export const codex: AgentHooks = {
  provider: 'codex',
  program: 'codex',
  // Its installer's two, and where it keeps the copy that its daemon runs (install.sh; seen with 0.171).
  programFolders: (machine) => {
    const packages = join(codex.folder(machine), 'packages');
    return [
      machine.env['CODEX_INSTALL_DIR'] || join(machine.home, '.local', 'bin'),
      join(packages, 'standalone', 'current', 'bin'),
      join(packages, 'app-server-daemon', 'current', 'bin'),
    ];
  },
  folder: ({ env, home }) => env['CODEX_HOME'] || join(home, '.codex'),
  file: (machine) => join(codex.folder(machine), 'hooks.json'),
  form: { shape: 'groups', comments: false },
  hooks: (sender) => {
    const command = senderLine(sender, 'codex');
    const windows = sender.platform === 'win32' && { commandWindows: command };
    return EVENTS.map(({ event, timeout = TIMEOUT }) => ({
      event,
      handler: { type: 'command', command, ...windows, timeout },
    }));
  },
  afterwards:
    'Start "codex" once and choose "Trust all and continue": until then it skips new hooks in silence.',
  invisible: [
    "an error of the model's server",
    'a plan that waits for approval',
    'who answers a request: you, or its own reviewer',
    'whether its terminal is still open',
  ],
};
