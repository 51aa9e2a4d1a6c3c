/** A place in the queue; filled by `settle`. */
export interface Reply {
  run: (() => void) | undefined;
}

/**
 * Answers of one connection, given in the order in which they were asked for, whatever order they come to be known in
 * [MQTT-4.6.0-2]: Aedes leaves that to its hooks.
 */
export class OrderedReplies {
  readonly #waiting: Reply[] = [];

  /** True when nothing waits: an answer that is known at once may be given at once. */
  get empty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Takes the next place. */
  take(): Reply {
    const reply: Reply = { run: undefined };
    this.#waiting.push(reply);
    return reply;
  }

  /** Makes an answer known, and gives all that have come to the front. */
  settle(reply: Reply, run: () => void): void {
    reply.run = run;
    for (let next = this.#waiting[0]; next?.run !== undefined; next = this.#waiting[0]) {
      this.#waiting.shift();
      next.run();
    }
  }
}
