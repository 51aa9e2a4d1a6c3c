import { SignalboxError } from '../../protocol/errors.ts';

/** A message as it goes out. */
export interface Outgoing {
  readonly topic: string;
  readonly payload: string | Buffer;
  readonly qos: 0 | 1;
  readonly retain: boolean;
}

interface Waiting extends Outgoing {
  readonly settle: { resolve(): void; reject(error: Error): void }[];
}

/** Happenings that wait for a broker; the oldest go first when there are more. */
const LONGEST = 1000;

/**
 * Holds what is published while there is no connection. Of a retained topic only the last value is worth keeping: whoever waits for an older one is
 * told when the newer one has arrived. The rest is bounded, so a broker that stays away for days costs no memory.
 */
export class Outbox {
  // In order of sending; retained messages by topic, happenings by number.
  readonly #waiting = new Map<string, Waiting>();
  #number = 0;
  #happenings = 0;

  /** Resolves when the message, or a newer value of its retained topic, has arrived. @throws SignalboxError `not_delivered` */
  put(message: Outgoing): Promise<void> {
    return new Promise((resolve, reject) => {
      const key = message.retain ? message.topic : this.#nextNumber();
      const older = this.#waiting.get(key);
      // Put in anew, so that it stands behind what was published before it.
      this.#waiting.delete(key);
      this.#waiting.set(key, { ...message, settle: [...(older?.settle ?? []), { resolve, reject }] });
    });
  }

  /** Hands everything over, in order, and is empty then. */
  flush(send: (message: Outgoing) => Promise<void>): void {
    for (const { settle, ...message } of this.#takeAll()) {
      send(message).then(
        () => settle.forEach(({ resolve }) => resolve()),
        (error: Error) => settle.forEach(({ reject }) => reject(error)),
      );
    }
  }

  /** Gives everything up. */
  fail(reason: string): void {
    for (const message of this.#takeAll()) rejectAll(message, reason);
  }

  #nextNumber(): string {
    this.#number += 1;
    if (this.#happenings === LONGEST) this.#dropOldest();
    else this.#happenings += 1;
    // No topic holds a NUL, so no number is taken for one.
    return `\0${this.#number}`;
  }

  #dropOldest(): void {
    for (const [key, message] of this.#waiting) {
      if (message.retain) continue;
      this.#waiting.delete(key);
      rejectAll(message, `the broker has been away and ${LONGEST} newer messages wait`);
      return;
    }
  }

  #takeAll(): Waiting[] {
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#happenings = 0;
    return all;
  }
}

function rejectAll({ topic, settle }: Waiting, reason: string): void {
  for (const { reject } of settle) reject(new SignalboxError('not_delivered', { topic, reason }));
}
