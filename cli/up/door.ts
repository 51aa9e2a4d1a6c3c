import type { ErrorCode } from '../../protocol/errors.ts';
import { SignalboxError } from '../../protocol/errors.ts';
import type { Aggregator } from '../../services/aggregator/aggregator.ts';
import type { Accepted, AcceptOptions } from '../../services/aggregator/jobs.ts';

/** What stands in the place of an event that was refused: nothing of it may go on. */
const NOTHING = new Uint8Array(0);
const encoder = new TextEncoder();

/**
 * The one door for hook events, between listeners that are up first and an aggregator that is ready a moment later. Before `open` events wait; after `close` they are
 * turned away without an acknowledgement, so that their senders keep them.
 */
export class Door {
  readonly #opened: Promise<Aggregator>;
  #resolve: (aggregator: Aggregator) => void = () => undefined;
  #aggregator: Aggregator | undefined;
  #closed = false;

  constructor() {
    this.#opened = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  open(aggregator: Aggregator): void {
    this.#aggregator = aggregator;
    this.#resolve(aggregator);
  }

  close(): void {
    this.#closed = true;
  }

  /** @throws SignalboxError `not_committed` */
  async accept(provider: string, payload: Uint8Array, options?: AcceptOptions): Promise<Accepted> {
    const aggregator = this.#aggregator ?? (await this.#opened);
    if (this.#closed) throw new SignalboxError('not_committed', { reason: 'the hub is stopping' });
    return aggregator.accept(provider, payload, options);
  }

  /** For the broker's publish gate: the cut-down event in place of the raw one. @throws SignalboxError `not_committed` */
  async gate(provider: string, payload: Uint8Array): Promise<Uint8Array> {
    const accepted = await this.accept(provider, payload);
    return accepted.ok ? encoder.encode(JSON.stringify(accepted.event)) : NOTHING;
  }

  reject(
    provider: string | undefined,
    code: ErrorCode,
    params: Readonly<Record<string, string | number>>,
  ): void {
    if (!this.#closed) this.#aggregator?.reject(provider, code, params);
  }
}
