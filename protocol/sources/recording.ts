import type { AdaptContext } from '../adapters/adapt.ts';
import { adapt } from '../adapters/adapt.ts';
import { isCanonicalEvent } from '../event-fields.ts';
import type { CanonicalEvent } from '../events.ts';

/** One line of a recording: a hook that fired, a change of Claude's session file, or something the driver did. */
export interface RecordedLine {
  /** Milliseconds since the recording's start. */
  readonly tMs: number;
  /** The same moment on the wall clock, unix ms: what tells the recording's zero. */
  readonly atMs?: number;
  /** The sender's own time, unix ms. */
  readonly receivedAtMs?: number;
  /** The client and the event's name, as the hook was called; Codex' notify has its JSON last. */
  readonly argv?: readonly string[];
  /** The payload as it was handed over, or the canonical event that it was cut down to. */
  readonly stdin?: unknown;
  /** False: it had waited in the spool or at a broker. */
  readonly live?: false;
  /** What the driver did. */
  readonly driver?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly ppid?: number;
  readonly tty?: string | null;
  readonly sessionFile?: string;
  readonly changed?: Readonly<Record<string, unknown>>;
  readonly removed?: boolean;
}

/** Reads a recording's lines; a line that is no JSON object with a time is left out. */
export function readRecording(text: string): RecordedLine[] {
  const lines: RecordedLine[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    try {
      const value = JSON.parse(line) as RecordedLine;
      if (typeof value === 'object' && value !== null && typeof value.tMs === 'number') lines.push(value);
    } catch {
      // Half a line: a recording that was cut off.
    }
  }
  return lines;
}

/** The wall clock time of a recording's zero, unix ms (its first driver line; without one, its first hook). */
export function zeroOf(lines: readonly RecordedLine[]): number {
  const driver = lines.find((line) => line.atMs !== undefined && line.sessionFile === undefined);
  if (driver?.atMs !== undefined) return driver.atMs - driver.tMs;
  const hook = lines.find((line) => line.receivedAtMs !== undefined);
  return hook?.receivedAtMs === undefined ? 0 : hook.receivedAtMs - hook.tMs;
}

/** First words of a hook's call that are not a provider's slug. */
const CALLED_AS: Readonly<Record<string, string>> = { http: 'claude', 'codex-notify': 'codex' };

/** The canonical event of a recorded hook, as the sender's envelope would have brought it, or as the hub had it already; `undefined` for what is refused. @param now arrival, unix ms */
export function recordedEvent(
  line: RecordedLine,
  now: number,
  context: AdaptContext,
): CanonicalEvent | undefined {
  const { argv = [] } = line;
  const [called = '', ...more] = argv;
  const notify = called === 'codex-notify';
  // A plugin's hooks are told apart by the word after `hook`.
  const named = more[0] === 'hook' ? more[1] : more[0];
  const envelope = {
    v: 1,
    ...(line.receivedAtMs !== undefined && { sent_at: line.receivedAtMs }),
    ...(line.ppid !== undefined && { ppid: line.ppid }),
    ...(named !== undefined && !notify && { event: named }),
    env: line.env ?? {},
    hook: notify ? parsed(argv.at(-1) as string) : line.stdin,
  };
  const provider = CALLED_AS[called] ?? called;
  // One that was cut down already has in it what its sender added.
  const sent = isCanonicalEvent(line.stdin) ? line.stdin : envelope;
  const adapted = adapt({ provider, payload: JSON.stringify(sent), received: now }, context);
  return adapted.ok ? adapted.event : undefined;
}

/** The first line of a recording that a hub's events go into. @param atMs unix ms */
export function recordingStart(atMs: number): RecordedLine {
  return { tMs: 0, atMs, driver: 'signalbox record' };
}

/** The last one: so long nothing more came. */
export function recordingEnd(tMs: number): RecordedLine {
  return { tMs, driver: 'end' };
}

/** An event of a hub's log as a line of a recording. @param tMs its arrival, in ms since the recording's start */
export function recordedLine(event: CanonicalEvent, tMs: number, live: boolean): RecordedLine {
  return {
    tMs,
    ...(event.sent_at !== undefined && { receivedAtMs: event.sent_at }),
    argv: [event.provider, event.event],
    stdin: event,
    ...(!live && { live }),
  };
}

/** The providers that a hub's recording names, each once; a client's recording tells its own by the way it was called. */
export function recordedProviders(lines: readonly RecordedLine[]): string[] {
  const slugs = lines.flatMap(({ stdin }) => (isCanonicalEvent(stdin) ? [stdin.provider] : []));
  return [...new Set(slugs)];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
