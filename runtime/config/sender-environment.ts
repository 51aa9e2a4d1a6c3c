type Environment = Readonly<Record<string, string | undefined>>;

/** What a hook's sender tells of its environment, and nothing else of it (spec: agents, section 1). */
const TOLD = [
  'TMUX_PANE',
  'TERM_PROGRAM',
  'SIGNALBOX_JOB_ID',
  'CLAUDE_PID',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_CODE_CHILD_SESSION',
] as const;

/** The envelope's `env`: the variables above where they are set, and whether SSH_CONNECTION is; its value holds addresses and stays. */
export function toldEnvironment(env: Environment): Record<string, string | true> {
  const told: Record<string, string | true> = {};
  for (const name of TOLD) {
    const value = env[name] ?? '';
    if (value !== '') told[name] = value;
  }
  if ((env['SSH_CONNECTION'] ?? '') !== '') told['SSH_CONNECTION'] = true;
  return told;
}

/** The environment of this process, for a program that is no command of `cli/`. */
export function ownEnvironment(): Environment {
  return process.env;
}
