import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { SignalboxError } from '../../protocol/errors.ts';
import { recordingEnd, recordingStart } from '../../protocol/sources/recording.ts';
import { type Clock, systemClock } from '../../runtime/clock.ts';
import { plainText } from '../../runtime/plain-text.ts';
import type { CommandContext } from '../context.ts';
import { type HubFacts, lookAtHub, tokenOf } from '../doctor/facts/hub.ts';
import type { SettingOptions } from '../options.ts';
import { loadSettings } from '../settings.ts';
import { LogReader } from './log-reader.ts';
import { endText, startProgress } from './progress.ts';
import { openRecording, type RecordingFile } from './recording-file.ts';

export interface RecordOptions extends SettingOptions {
  readonly force?: true;
  /** How far back [ms]; left out: from now on. */
  readonly since?: number;
}

/** Between two looks at the log [ms]: a look costs some microseconds, and times come from the log. */
const EVERY = 100;

/**
 * `signalbox record FILE`: what comes from now on until the command is ended, or with `since` what has come.
 * @throws SignalboxError `recording_exists`, `recording_unwritable`, `no_hub`, `database_unusable`, those of the settings
 */
export async function runRecord(
  name: string,
  options: RecordOptions,
  context: CommandContext,
): Promise<void> {
  const settings = loadSettings(context, options);
  const { paths } = settings;
  const path = resolve(context.cwd, name);
  const hub = await lookAtHub(paths.hubFile, tokenOf(settings));
  const inUse = hub.kind === 'running' || hub.kind === 'silent';
  const clock = systemClock();
  const now = clock.now();
  if (options.since === undefined && !inUse)
    throw new SignalboxError('no_hub', { detail: `${paths.hubFile}: ${whyNot(hub)}` });
  if (!existsSync(paths.database))
    throw new SignalboxError('no_hub', { detail: `${paths.database} is not there: none has ever run` });
  const zero = now - (options.since ?? 0);
  const reader = new LogReader({ database: paths.database, inUse, zero });
  try {
    reader.start(options.since === undefined ? undefined : zero);
    const file = openRecording(path, options.force === true);
    try {
      file.write([recordingStart(zero)]);
      const recording = { reader, file, path };
      if (options.since === undefined) await recordOn(recording, clock, context);
      else context.stderr.write(endText(takeAll(recording), plainText(path)));
      file.write([recordingEnd(clock.now() - zero)]);
    } finally {
      file.close();
    }
  } finally {
    reader.stop();
  }
}

interface Recording {
  readonly reader: LogReader;
  readonly file: RecordingFile;
  readonly path: string;
}

async function recordOn(recording: Recording, clock: Clock, context: CommandContext): Promise<void> {
  const ending = context.ending();
  const progress = startProgress(context, recording.path);
  let events = 0;
  for (;;) {
    // Asked before the look: what came until the end is in it.
    const last = ending.aborted;
    const taken = takeAll(recording);
    events += taken;
    if (taken > 0) progress.tell(events);
    if (last) break;
    await pause(clock, ending);
  }
  progress.end(events);
}

/** @returns how many */
function takeAll({ reader, file }: Recording): number {
  let taken = 0;
  for (let lines = reader.next(); lines !== undefined; lines = reader.next()) {
    file.write(lines);
    taken += lines.length;
  }
  return taken;
}

/** Until the next look, or until the end is asked for. */
function pause(clock: Clock, ending: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const finish = (): void => {
      cancel();
      ending.removeEventListener('abort', finish);
      done();
    };
    const cancel = clock.at(clock.now() + EVERY, finish);
    ending.addEventListener('abort', finish);
  });
}

function whyNot({ kind }: HubFacts): string {
  if (kind === 'none') return 'there is no such file';
  return kind === 'damaged' ? 'it is damaged' : 'the hub that wrote it has ended';
}
