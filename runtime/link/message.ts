import type { TopicName, TopicParams } from '../../protocol/topics.ts';

/** A message that came in. */
export interface LinkMessage {
  readonly topic: string;
  /** Row of the topic table. */
  readonly name: TopicName;
  readonly params: TopicParams;
  readonly payload: Uint8Array;
  /** True for state that was there before the subscription, or that is sent again after a reconnect: never a happening. */
  readonly retained: boolean;
}

export type MessageHandler = (message: LinkMessage) => void | Promise<void>;

/** Text and bytes go out as they are, everything else as JSON. */
export function encode(payload: string | Uint8Array | object): string | Buffer {
  if (typeof payload === 'string') return payload;
  if (payload instanceof Uint8Array)
    return Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
  return JSON.stringify(payload);
}
