import type { Hasher } from '../../protocol/events.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { AgentFolders } from '../../runtime/config/agent-folders.ts';
import type { Config } from '../../runtime/config/schema.ts';
import type { Log } from '../../runtime/log.ts';
import { ClaudeAgents } from './claude-agents.ts';
import { ClaudeSessionFiles } from './claude-sessions.ts';
import { ClaudeTranscripts } from './claude-transcript.ts';
import { CodexRollouts } from './codex-rollout.ts';
import { CopilotLogs } from './copilot-events.ts';
import { ProcessSource } from './processes.ts';
import type { SessionChanges, Source, SourceState, Surroundings } from './source.ts';
import { SwitchedOff } from './switched-off.ts';

export interface SourcesOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** The machine's name: only its own sessions can be watched. */
  readonly host: string;
  readonly folders: AgentFolders;
  /** As the hooks' adapters have it: a request in a log and in a hook is the same one. */
  readonly hasher: Hasher;
  /** Which sources may run. */
  readonly enabled: Config['sources'];
  /** See `Surroundings`. */
  readonly tell: Surroundings['tell'];
  readonly report: Surroundings['report'];
  readonly stateChanged: () => void;
}

/** All second sources of this machine (spec: agents, section 4). */
export interface Sources {
  /** Hands over all sessions, before the start, and what changes in them, from then on. */
  changed(sessions: SessionChanges): void;
  /** Each looks once; resolves when all that was found is told. */
  start(): Promise<void>;
  stop(): Promise<void>;
  states(): SourceState[];
}

export function createSources(options: SourcesOptions): Sources {
  const { enabled, folders } = options;
  const around: Surroundings = {
    ...options,
    stateChanged: () => {
      if (started) judge();
      options.stateChanged();
    },
  };
  let started = false;
  const off = (name: string): Source => new SwitchedOff(name, around, () => undefined);

  const files = enabled.claude_sessions ? new ClaudeSessionFiles(around, folders.claude) : undefined;
  const isNeeded = (): boolean => files?.usable !== true;
  const agents = enabled.claude_agents
    ? new ClaudeAgents(around, { config: folders.claude, env: folders.environment, isNeeded })
    : undefined;
  const transcripts = enabled.claude_transcript
    ? new ClaudeTranscripts(around, folders.claude, isNeeded, () => agents?.ask())
    : undefined;
  // Of a process found dead nothing counts that a file says: processes are looked at first.
  const sources: readonly Source[] = [
    enabled.process
      ? new ProcessSource(around)
      : new SwitchedOff('process', around, ({ process }) => process && 'unwatched'),
    files ??
      new SwitchedOff('claude_sessions', around, ({ provider, status }) =>
        provider === 'claude' && status !== undefined ? 'withdrawn' : undefined,
      ),
    agents ?? off('claude_agents'),
    transcripts ?? off('claude_transcript'),
    enabled.codex_rollout ? new CodexRollouts(around, folders.codex) : off('codex_rollout'),
    enabled.copilot_events ? new CopilotLogs(around, folders.copilot, options.hasher) : off('copilot_events'),
  ];

  /** What stands in for the session files goes on and off with them. */
  function judge(): void {
    agents?.judge();
    transcripts?.judge();
  }

  async function confirmFiles(): Promise<void> {
    if (files === undefined || agents === undefined || !files.usable || files.state().watched === 0) return;
    const listed = await agents.processes();
    if (listed !== undefined && started) await files.confirm(listed);
  }

  return {
    changed(sessions) {
      for (const source of sources) source.changed(sessions);
    },
    async start() {
      for (const source of sources) await source.start();
      started = true;
      judge();
      // A second at most, and nothing waits for it.
      void confirmFiles();
    },
    async stop() {
      started = false;
      await Promise.all(sources.map((source) => source.stop()));
    },
    states: () => sources.map((source) => source.state()),
  };
}
