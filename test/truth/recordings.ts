import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordingText } from '../../cli/replay/run-replay.ts';
import { type RecordedLine, readRecording } from '../../protocol/sources/recording.ts';

const FIXTURES = new URL('../fixtures/', import.meta.url);

/** What a hook was handed, as far as the scores look at it. */
export interface HookPayload {
  readonly hook_event_name?: string;
  readonly session_id?: string;
  readonly prompt_id?: string;
  readonly turn_id?: string;
  readonly agent_id?: string;
  readonly error?: string;
  readonly prompt?: string;
  readonly prompt_response?: string;
  readonly notification_type?: string;
  readonly background_tasks?: readonly unknown[];
  readonly session_crons?: readonly unknown[];
}

/** A recording of a real client, and what lies beside it. */
export interface Recording {
  readonly scenario: string;
  /** Its file's name: the noise of a recording is drawn from it. */
  readonly fileName: string;
  readonly lines: readonly RecordedLine[];
  readonly rollout: string;
}

/** Truth of clients that keep no status: what a session was, by scenario and session id. */
export type Labels = Readonly<Record<string, Readonly<Record<string, readonly Label[]>>>>;

export interface Label {
  readonly from_ms: number;
  readonly to_ms: number;
  readonly state: 'needs_user' | 'running' | 'idle';
}

/** Reads the recordings of one client, in the order of their names. @param folder below test/fixtures/recordings, or a path */
export function readRecordings(folder: string): Recording[] {
  const path = existsSync(folder) ? folder : new URL(`recordings/${folder}/`, FIXTURES).pathname;
  return readdirSync(path)
    .filter((name) => /^[^.]+\.jsonl$/.test(name))
    .sort()
    .map((fileName) => {
      const scenario = fileName.replace(/\.jsonl$/, '');
      const rollout = join(path, `${scenario}.rollout.jsonl`);
      return {
        scenario,
        fileName,
        lines: readRecording(readFileSync(join(path, fileName), 'utf8')),
        rollout: existsSync(rollout) ? readFileSync(rollout, 'utf8') : '',
      };
    });
}

/** Reads a client's labels. @param client the file's name below test/fixtures/labels */
export function readLabels(client: string): Labels {
  return JSON.parse(readFileSync(new URL(`labels/${client}.json`, FIXTURES), 'utf8')) as Labels;
}

/** The hook's payload of a line; `undefined` for a line that is none. */
export function payloadOf(line: RecordedLine): HookPayload | undefined {
  return typeof line.stdin === 'object' && line.stdin !== null ? line.stdin : undefined;
}

/** The text that `signalbox replay` would read. */
export function textOf(recording: Recording): RecordingText {
  const text = recording.lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  return { recording: text, rollout: recording.rollout };
}
