import { connect } from 'node:net';
import { connectPacket } from '../../../runtime/mqtt-packets.ts';
import { createPacketReader, publishedIn, subscribePacket } from './mqtt-packets.ts';

const CONNACK = 0x20;

export interface SubscriptionEvents {
  onMessage(topic: string, text: string): void;
  /** The broker refuses, is not there, or goes away. Not told after `close`. */
  onLost(error: Error): void;
}

export interface Subscription {
  close(): void;
}

/** Connects to a broker by its Unix socket and subscribes. What it holds retained comes as messages. */
export function subscribeOnce(
  socketPath: string,
  filters: readonly string[],
  { onMessage, onLost }: SubscriptionEvents,
): Subscription {
  let isClosed = false;
  const fail = (error: Error): void => {
    if (!isClosed) onLost(error);
  };
  const read = createPacketReader();
  const socket = connect(socketPath, () => void socket.write(connectPacket()));
  socket.on('error', fail).on('close', () => fail(new Error('it closed the connection')));
  socket.on('data', (chunk) => {
    for (const packet of read(chunk)) {
      const [type = 0] = packet.head;
      if (type === CONNACK) {
        // Nothing may be asked before: until then nobody knows who we are.
        if (packet.body[1] === 0) socket.write(subscribePacket(filters));
        else fail(new Error('it refuses the connection'));
        continue;
      }
      const message = publishedIn(packet);
      if (message !== undefined && !isClosed) onMessage(message.topic, message.text);
    }
  });
  return {
    close() {
      isClosed = true;
      socket.destroy();
    },
  };
}
