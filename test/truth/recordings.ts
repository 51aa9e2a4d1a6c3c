import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordingText } from '../../cli/replay/run-replay.ts';
import { type RecordedLine, readRecording } from '../../protocol/sources/recording.ts';
import { type HookPayload, inCommonWords } from './own-forms.ts';

const FIXTURES = new URL('../fixtures/', import.meta.url);

/** A recording of a real client, and what lies beside it. */
export interface Recording {
  readonly scenario: string;
  /** Its file's name: the noise of a recording is drawn from it. */
  readonly fileName: string;
  readonly lines: readonly RecordedLine[];
  readonly rollout: string;
  /** The log that Copilot keeps of its session. */
  readonly events: string;
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
      const beside = (ending: string): string => {
        const other = join(path, `${scenario}.${ending}.jsonl`);
        return existsSync(other) ? readFileSync(other, 'utf8') : '';
      };
      return {
        scenario,
        fileName,
        lines: readRecording(readFileSync(join(path, fileName), 'utf8')),
        rollout: beside('rollout'),
        events: beside('events'),
      };
    });
}

/** Reads a client's labels. @param client the file's name below test/fixtures/labels */
export function readLabels(client: string): Labels {
  return JSON.parse(readFileSync(new URL(`labels/${client}.json`, FIXTURES), 'utf8')) as Labels;
}

/** The hook's payload of a line; `undefined` for a line that is none. */
export function payloadOf(line: RecordedLine): HookPayload | undefined {
  return typeof line.stdin === 'object' && line.stdin !== null ? inCommonWords(line, line.stdin) : undefined;
}

/** The text that `signalbox replay` would read. */
export function textOf(recording: Recording): RecordingText {
  const text = recording.lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  return { recording: text, rollout: recording.rollout, events: recording.events };
}
