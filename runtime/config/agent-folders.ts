import path from 'node:path';

/** Where agents keep what is theirs, as far as second sources look there. */
export interface AgentFolders {
  /** Claude Code's configuration. */
  readonly claude: string;
  /** `CODEX_HOME`. */
  readonly codex: string;
  /** `COPILOT_HOME`. */
  readonly copilot: string;
  /** The surroundings that an agent's own command is run in. */
  readonly environment: Readonly<Record<string, string>>;
}

/** What is ours, and what an agent tells its children: a hub that was started by one is not its child for ever. */
const OURS = /^(?:SIGNALBOX_|CLAUDECODE$|CLAUDE_CODE_|CLAUDE_PID$)/;

/** The agents' own folders, as their own variables move them; a path that isn't absolute is nobody's. @param home the user's home folder */
export function agentFolders(env: Readonly<Record<string, string | undefined>>, home: string): AgentFolders {
  const moved = (variable: string, otherwise: string): string => {
    const value = env[variable] ?? '';
    return path.isAbsolute(value) ? value : path.join(home, otherwise);
  };
  const environment = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || OURS.test(name) ? [] : [[name, value] as const],
  );
  return {
    claude: moved('CLAUDE_CONFIG_DIR', '.claude'),
    codex: moved('CODEX_HOME', '.codex'),
    copilot: moved('COPILOT_HOME', '.copilot'),
    environment: Object.fromEntries(environment),
  };
}
