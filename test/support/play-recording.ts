import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { replayFile } from '../../cli/replay/run-replay.ts';
import type { SessionPayload } from '../../protocol/messages/session.ts';
import { readRecording, type RecordedLine, zeroOf } from '../../protocol/sources/recording.ts';
import type { BusViewer } from './bus-viewer.ts';
import type { HubProcess } from './hub.ts';
import { until } from './until.ts';
import { startAgent } from './watching.ts';

/** Before a pause of this length the hub has to say what the replay says [ms]. */
const PAUSE = 1_200;

/** What the bus says of Claude's sessions: `state reason` by id. */
export function sessionsOn(bus: BusViewer): Record<string, string> {
  const topics = new Set(bus.seen.map(({ topic }) => topic).filter((topic) => topic.startsWith('session/')));
  const sessions = [...topics].flatMap((topic) => {
    const payload = bus.last(topic);
    return payload === undefined ? [] : [JSON.parse(payload) as SessionPayload];
  });
  return Object.fromEntries(
    sessions.map(({ session_id, state, reason }) => [session_id, `${state} ${reason}`]),
  );
}

/** Which of two words that come within some milliseconds has the say differs between live and replay, so reasons are left out. */
function statesOn(bus: BusViewer): Record<string, string> {
  return Object.fromEntries(
    Object.entries(sessionsOn(bus)).map(([id, said]) => [id, said.split(' ')[0] as string]),
  );
}

/** A recording as it is played: the hub's hooks by HTTP, the session files into a folder, the client a process of ours. */
export interface Played {
  /** How often hub and replay were compared, and the same. */
  readonly pauses: number;
}

/**
 * Plays a recording of Claude Code to a hub, in its own time, with all times moved to now. Before each pause it waits until the hub says of every session what the replay
 * says: live and replay are the same below the watcher.
 * @param files where the session files go
 */
export async function playRecording(
  name: string,
  hub: HubProcess,
  bus: BusViewer,
  files: string,
): Promise<Played> {
  const path = fileURLToPath(
    new URL(`../fixtures/recordings/claude-code-2.1.332/${name}.jsonl`, import.meta.url),
  );
  const lines = readRecording(readFileSync(path, 'utf8')).filter(isPlayed);
  const { changes } = replayFile(path, true);
  const agents = new Map<string, ReturnType<typeof startAgent>>();
  const agentOf = (file: string): ReturnType<typeof startAgent> => {
    const agent = agents.get(file) ?? startAgent();
    agents.set(file, agent);
    return agent;
  };
  mkdirSync(files, { recursive: true });
  const states = new Map<string, Record<string, unknown>>();
  const zero = zeroOf(lines);
  let start = Date.now();

  function expected(tMs: number): Record<string, string> {
    const said: Record<string, string> = {};
    for (const { t_ms, session_id, state } of changes) {
      if (t_ms > tMs) break;
      if (state === null) delete said[session_id];
      else said[session_id] = state;
    }
    return said;
  }

  async function step(line: RecordedLine): Promise<void> {
    const moved = start - zero;
    if (line.sessionFile !== undefined) {
      const agent = agentOf(line.sessionFile);
      const file = join(files, `${agent.pid}.json`);
      if (line.removed === true) return rmSync(file, { force: true });
      const { changed = {} } = line;
      const content = { ...states.get(line.sessionFile), ...changed, pid: agent.pid, procStart: agent.start };
      if (changed['status'] !== undefined && changed['waitingFor'] === undefined)
        delete (content as Record<string, unknown>)['waitingFor'];
      states.set(line.sessionFile, content);
      const at = content as { statusUpdatedAt?: number };
      const written = {
        ...content,
        pidDomain: undefined,
        ...(at.statusUpdatedAt !== undefined && { statusUpdatedAt: at.statusUpdatedAt + moved }),
      };
      return writeFileSync(file, JSON.stringify(written));
    }
    const { pid } = agentOf(`${line.env?.['CLAUDE_PID'] ?? line.ppid}.json`);
    const body = {
      v: 1,
      ...(line.receivedAtMs !== undefined && { sent_at: line.receivedAtMs + moved }),
      ppid: pid,
      env: { ...line.env, CLAUDE_PID: String(pid) },
      hook: line.stdin,
    };
    const headers = { 'content-type': 'application/json' };
    const { status } = await fetch(`${hub.url}/hook/claude`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (status !== 204) throw new Error(`the hub answered ${status}`);
  }

  let pauses = 0;
  for (const [index, line] of lines.entries()) {
    await until(() => Date.now() - start >= line.tMs);
    await step(line);
    const next = lines[index + 1];
    if (next !== undefined && next.tMs - line.tMs < PAUSE) continue;
    pauses += 1;
    const before = Date.now();
    const wanted = JSON.stringify(sorted(expected(next === undefined ? line.tMs + PAUSE : next.tMs - 1)));
    await until(() => JSON.stringify(sorted(statesOn(bus))) === wanted);
    // What was late stays out of the recording's own times.
    if (next !== undefined) start += Math.max(0, Date.now() - before - (next.tMs - line.tMs));
  }
  return { pauses };
}

function isPlayed({ argv, sessionFile }: RecordedLine): boolean {
  return sessionFile !== undefined || (argv !== undefined && argv[1] !== 'MessageDisplay');
}

function sorted(said: Record<string, string>): [string, string][] {
  return Object.entries(said).toSorted(([a], [b]) => a.localeCompare(b));
}
