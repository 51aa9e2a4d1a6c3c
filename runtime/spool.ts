import {
  appendFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { ensureFolder } from './paths.ts';

/**
 * The spool: a folder (mode 0700) where senders that reach no broker leave events, cut down, one file an event (spec: bus, "Durability" 4). A name is the moment of
 * the event in microseconds, something random and the size, so that names alone tell order and bytes: a sender has no time to ask for 10,000 sizes.
 */
export interface SpoolLimits {
  readonly files: number;
  readonly bytes: number;
}

export const SPOOL_LIMITS: SpoolLimits = { files: 10_000, bytes: 16 * 1024 * 1024 };

const NAME = /^\d{16}-[0-9a-z]+\.(\d{1,9})\.json$/;
/** In front of the name: a file that is still being written, and since when. */
const DRAFT = /^draft-(\d{16})-/;
/** A writer that takes longer was killed [µs]. */
const ABANDONED = 60_000_000;
/** One byte for every event that was dropped: appending is the one way of counting that needs no lock. */
const DROPPED = 'dropped';

/** Whether a file of the folder is an event that waits. */
export function isSpooled(name: string): boolean {
  return NAME.test(name);
}

export interface SpoolOptions {
  /** The event's moment, unix µs: what the spool is in the order of. */
  readonly at: number;
  /** Unix µs. */
  readonly now: number;
  readonly limits?: SpoolLimits;
}

/**
 * Writes one event: as a whole or not at all. Above the limits the oldest are dropped and counted.
 * @throws SignalboxError `folder_unusable`, or the file system's own error; nothing is left behind then
 */
export function spool(folder: string, text: string, { at, now, limits = SPOOL_LIMITS }: SpoolOptions): void {
  ensureFolder(folder);
  const name = `${stamp(at)}-${random()}.${Buffer.byteLength(text)}.json`;
  const draft = join(folder, `draft-${stamp(now)}-${random()}`);
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
    renameSync(draft, join(folder, name));
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  keepWithin(folder, limits, now);
}

/** Every writer looks after its own rename, so the last of several sees all files; all drop the same ones, and only who removed one counts it. */
function keepWithin(folder: string, limits: SpoolLimits, now: number): void {
  const entries = readdirSync(folder);
  let files = 0;
  let bytes = 0;
  for (const entry of entries) {
    const size = sizeOf(entry);
    if (size !== undefined) {
      files += 1;
      bytes += size;
    } else if (isAbandoned(entry, now)) rmSync(join(folder, entry), { force: true });
  }
  if (files <= limits.files && bytes <= limits.bytes) return;
  let dropped = 0;
  for (const entry of entries.filter(isSpooled).sort()) {
    if (files <= limits.files && bytes <= limits.bytes) break;
    files -= 1;
    bytes -= sizeOf(entry) ?? 0;
    if (removed(join(folder, entry))) dropped += 1;
  }
  if (dropped > 0) appendFileSync(join(folder, DROPPED), '.'.repeat(dropped), { mode: 0o600 });
}

/** How many events were dropped since `takeDropped` was asked last; looks only. */
export function droppedIn(folder: string): number {
  return statSync(join(folder, DROPPED), { throwIfNoEntry: false })?.size ?? 0;
}

/** How many events were dropped since this was asked last. */
export function takeDropped(folder: string): number {
  const taken = join(folder, `${DROPPED}.taken`);
  try {
    renameSync(join(folder, DROPPED), taken);
  } catch {
    return 0;
  }
  const { length } = readFileSync(taken);
  rmSync(taken, { force: true });
  return length;
}

function sizeOf(name: string): number | undefined {
  const size = NAME.exec(name)?.[1];
  return size === undefined ? undefined : Number(size);
}

function isAbandoned(name: string, now: number): boolean {
  const since = DRAFT.exec(name)?.[1];
  return since !== undefined && now - Number(since) > ABANDONED;
}

function removed(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch {
    return false;
  }
}

function stamp(microseconds: number): string {
  return String(Math.max(Math.round(microseconds), 0))
    .padStart(16, '0')
    .slice(-16);
}

function random(): string {
  return Math.random().toString(36).slice(2, 12).padEnd(10, '0');
}
