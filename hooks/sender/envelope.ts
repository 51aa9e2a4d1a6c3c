import type { SenderArguments } from './arguments.ts';

/** What the sender knows beside the agent's JSON (spec: agents, section 1). */
export interface Sending {
  readonly id: string;
  /** Unix ms. */
  readonly sent_at: number;
  /** The agent's process, or a shell that it started. */
  readonly ppid: number;
  readonly tty: string | undefined;
  readonly env: Readonly<Record<string, string | true>>;
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/**
 * Puts the envelope round the agent's JSON, which goes through as it is, unread: `{"v":1,"id":…,"hook":<the agent's JSON>}`. No host: it is the hub's own.
 * Input that is no JSON makes an envelope that is none, and the hub says so.
 */
export function putInEnvelope(
  hook: readonly Buffer[],
  { id, sent_at, ppid, tty, env }: Sending,
  { event }: Pick<SenderArguments, 'event'>,
): Buffer[] {
  const head = JSON.stringify({ v: 1, id, sent_at, ppid, tty, event, env });
  return [Buffer.from(`${head.slice(0, -1)},"hook":`), ...withoutMark(hook), Buffer.from('}')];
}

/** Some agents on Windows begin with a byte order mark; inside of JSON it would break it. */
function withoutMark(chunks: readonly Buffer[]): readonly Buffer[] {
  const [first, ...rest] = chunks;
  if (first === undefined || !BYTE_ORDER_MARK.every((byte, index) => first[index] === byte)) return chunks;
  return [first.subarray(BYTE_ORDER_MARK.length), ...rest];
}
