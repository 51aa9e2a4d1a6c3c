import type { AdaptContext } from '../adapters/adapt.ts';
import { adapt } from '../adapters/adapt.ts';
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
  readonly stdin?: unknown;
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

/** The canonical event of a recorded hook, as the sender's envelope would have brought it; `undefined` for what is refused. @param now arrival, unix ms */
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
  const adapted = adapt({ provider, payload: JSON.stringify(envelope), received: now }, context);
  return adapted.ok ? adapted.event : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
