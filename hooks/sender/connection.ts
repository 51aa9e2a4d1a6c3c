import { connect, type NetConnectOpts } from 'node:net';
import { connectPacket } from '../../runtime/mqtt-packets.ts';
import { createAnswerReader, DISCONNECT, publishHead } from './mqtt-packets.ts';

/** A connection to a broker, good for one event. */
export interface Connection {
  /** Resolves with the CONNACK. Nothing may be published before (spec: bus, "What Aedes 1.2 needs from us"). */
  readonly ready: Promise<void>;
  /** Resolves with the PUBACK: the event is dealt with. */
  publish(topic: string, payload: readonly Uint8Array[]): Promise<void>;
  /** Says goodbye if there is time, and is gone. */
  close(): void;
}

/** Opens a connection; `ready` and `publish` reject when the broker refuses or goes away, and wait for ever for one that says nothing. */
export function openConnection(where: NetConnectOpts, clientId: string): Connection {
  const connected = deferred();
  const acknowledged = deferred();
  const read = createAnswerReader();
  const fail = (error: Error): void => {
    connected.reject(error);
    acknowledged.reject(error);
    socket.destroy();
  };
  const socket = connect(where, () => void socket.write(connectPacket(clientId)));
  socket.setNoDelay(true);
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('closed')));
  socket.on('data', (chunk) => {
    for (const answer of read(chunk)) {
      if (answer === 'connected') connected.resolve();
      else if (answer === 'acknowledged') acknowledged.resolve();
      else fail(new Error('refused'));
    }
  });
  return {
    ready: connected.promise,
    publish(topic, payload) {
      socket.cork();
      socket.write(
        publishHead(
          topic,
          payload.reduce((sum, { length }) => sum + length, 0),
        ),
      );
      for (const part of payload) socket.write(part);
      socket.uncork();
      return acknowledged.promise;
    },
    close() {
      if (socket.writable) socket.end(DISCONNECT);
      else socket.destroy();
    },
  };
}

interface Deferred {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

function deferred(): Deferred {
  let resolve: () => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  // Whoever waits is told; nobody has to.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
