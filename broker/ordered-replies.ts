/** A place in the queue; filled by `settle` or `fail`. */
export interface Reply {
  run: (() => void) | undefined;
}

/**
 * Answers of one connection, given in the order in which they were asked for, whatever order they come to be known in
 * [MQTT-4.6.0-2]: Aedes leaves that to its hooks.
 */
export class OrderedReplies {
  #waiting: Reply[] = [];
  #ended = false;

  /** True when nothing waits: an answer that is known at once may be given at once. */
  get empty(): boolean {
    return this.#waiting.length === 0 && !this.#ended;
  }

  /** Takes the next place. */
  take(): Reply {
    const reply: Reply = { run: undefined };
    this.#waiting.push(reply);
    return reply;
  }

  /** Makes an answer known, and gives all that have come to the front. */
  settle(reply: Reply, run: () => void): void {
    if (this.#ended) return;
    reply.run = run;
    for (let next = this.#waiting[0]; next?.run !== undefined; next = this.#waiting[0]) {
      this.#waiting.shift();
      next.run();
    }
  }

  /**
   * The last answer of a connection: `run` closes it. It comes a turn later than those in front of it, since closing a socket drops what was
   * written in the same turn; behind it nothing is answered any more.
   */
  fail(reply: Reply, run: () => void): void {
    this.settle(reply, () => {
      this.#ended = true;
      this.#waiting = [];
      setImmediate(run);
    });
  }
}
