import { Duplex } from 'node:stream';

type Callback = (error?: Error | null) => void;

/** One end of a pair: what is written to it is read from the other. */
class End extends Duplex {
  other: End | undefined;
  /** The other end's write, which is done when this end wants more. */
  #pending: Callback | undefined;

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: Callback): void {
    this.#hand(chunk, callback);
  }

  override _writev(chunks: { chunk: Buffer }[], callback: Callback): void {
    this.#hand(Buffer.concat(chunks.map(({ chunk }) => chunk)), callback);
  }

  override _read(): void {
    const callback = this.#pending;
    this.#pending = undefined;
    if (callback !== undefined) setImmediate(callback);
  }

  override _final(callback: Callback): void {
    this.other?.push(null);
    callback();
  }

  override _destroy(error: Error | null, callback: Callback): void {
    // An end that has said and heard everything leaves the other to finish its reading.
    if (!this.writableFinished || !this.readableEnded) this.other?.destroy();
    callback(error);
  }

  #hand(chunk: Buffer, callback: Callback): void {
    const { other } = this;
    if (other === undefined || other.destroyed || chunk.length === 0) {
      setImmediate(callback);
      return;
    }
    other.#pending = callback;
    other.push(chunk);
  }
}

/**
 * Two ends of a connection inside one process, e.g. one for the broker and one for a link.
 *
 * Node's own `duplexPair` falls short twice. Its ends don't take each other along when one is destroyed, so MQTT.js would wait for ever. And it answers
 * within the same turn of the event loop, so a service that awaits one publish after the other would keep all sockets and timers waiting until it is done.
 */
export function linkedPair(): [Duplex, Duplex] {
  const [one, other] = [new End(), new End()];
  one.other = other;
  other.other = one;
  return [one, other];
}
