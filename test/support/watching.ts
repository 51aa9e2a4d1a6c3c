import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { CanonicalEvent } from '../../protocol/events.ts';
import type { Session } from '../../protocol/session.ts';
import { systemClock } from '../../runtime/clock.ts';
import { createLog } from '../../runtime/log.ts';
import type { SourceState } from '../../services/sources/source.ts';
import { createSources, type Sources, type SourcesOptions } from '../../services/sources/sources.ts';
import { CONTEXT } from './adapting.ts';
import { drive, type Fields, sha256 } from './driving.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { until } from './until.ts';

/** One word of a source, in short: session, value and what it waits for; `late` where it is not live. */
export type Word = string;

/** The real sources, watching real files and processes. */
export interface Watching {
  readonly sources: Sources;
  readonly words: Word[];
  readonly events: CanonicalEvent[];
  /** Claude Code's configuration folder, with a `sessions` in it unless it was left out. */
  readonly claude: string;
  readonly home: string;
  /** What was logged. */
  log(): string;
  state(name: string): SourceState;
  /** Waits until this has been told, from where the last wait ended. */
  heard(word: Word): Promise<void>;
}

const NONE: SourcesOptions['enabled'] = {
  process: false,
  claude_sessions: false,
  claude_agents: false,
  claude_transcript: false,
  codex_rollout: false,
  copilot_events: false,
};

export interface WatchingOptions {
  readonly only: readonly (keyof SourcesOptions['enabled'])[];
  readonly sessions?: readonly Session[];
  readonly home?: string;
  readonly clock?: SourcesOptions['clock'];
  /** Where agents' programs are looked for. */
  readonly path?: string;
}

/** Starts the sources that are named; they are stopped when the running test is over. */
export async function startWatching(options: WatchingOptions): Promise<Watching> {
  const { only, sessions = [], home = temporaryFolder(), clock = systemClock(), path = '' } = options;
  const claude = join(home, '.claude');
  const words: Word[] = [];
  const events: CanonicalEvent[] = [];
  const lines: string[] = [];
  const sources = createSources({
    clock,
    log: createLog({ level: 'debug', format: 'json', stream: { write: (line) => void lines.push(line) } }),
    host: 'studio',
    hasher: CONTEXT.hasher,
    folders: {
      claude,
      codex: join(home, '.codex'),
      copilot: join(home, '.copilot'),
      environment: { PATH: path },
    },
    enabled: { ...NONE, ...Object.fromEntries(only.map((name) => [name, true])) },
    tell: ({ session_id, value, waiting_for }, _moment, live = true) => {
      const waits = waiting_for === undefined ? '' : ` (${waiting_for})`;
      words.push(`${session_id} ${value}${waits}${live ? '' : ' late'}`);
    },
    report: (event) => void events.push(event),
    stateChanged: () => undefined,
  });
  onTestFinished(() => sources.stop());
  sources.changed(new Map(sessions.map((session) => [session.session_id, session])));
  await sources.start();
  let heard = 0;
  return {
    sources,
    words,
    events,
    claude,
    home,
    log: () => lines.join(''),
    state: (name) => sources.states().find((state) => state.name === name) as SourceState,
    async heard(word) {
      await until(() => words.indexOf(word, heard) >= 0);
      heard = words.indexOf(word, heard) + 1;
    },
  };
}

/** An agent's process: it does nothing until it is killed, at the latest with the running test. */
export function startAgent(): { readonly pid: number; readonly start: string; kill(): Promise<void> } {
  const child: ChildProcess = spawn('sleep', ['1000'], { stdio: 'ignore' });
  const ended = once(child, 'close');
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  onTestFinished(kill);
  const pid = child.pid as number;
  return { pid, start: startOf(pid), kill };
}

/** The start time as proc(5) gives it. */
export function startOf(pid: number): string {
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19] ?? '';
}

/** A session that runs, as the table knows it; more of what its hooks have told in `fields`. */
export function runningSession(id: string, fields: Fields = {}, more: Partial<Session> = {}): Session {
  const driver = drive({ table: { sha256 } });
  driver.hook('UserPromptSubmit', { session_id: id, ...fields });
  return { ...driver.the(id), updated_at: Date.now(), ...more };
}

/** A session file as Claude Code writes it. */
export function sessionFile(
  agent: { readonly pid: number; readonly start: string },
  more: object = {},
): string {
  return JSON.stringify({
    pid: agent.pid,
    sessionId: 's1',
    cwd: '/home/dev/shop',
    procStart: agent.start,
    version: '2.1.332',
    kind: 'interactive',
    entrypoint: 'cli',
    status: 'busy',
    statusUpdatedAt: Date.now(),
    ...more,
  });
}

/** Writes into `<config>/sessions`. */
export function writeSession(claude: string, name: string, text: string): void {
  mkdirSync(join(claude, 'sessions'), { recursive: true });
  writeFileSync(join(claude, 'sessions', name), text);
}
