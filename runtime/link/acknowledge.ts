import type { IPublishPacket, MqttClient } from 'mqtt';
import type { Log } from '../log.ts';

/**
 * Holds the PUBACK of every incoming message until `work` is done with it, one message after the other in order of arrival (spec: bus, "Durability" 2).
 * When it fails, the connection is dropped without a PUBACK and nothing behind the message is looked at, so that the broker sends all of it again.
 * @returns stops taking messages; resolves when the one at work is done
 */
export function acknowledgeAfterWork(
  client: MqttClient,
  work: (packet: IPublishPacket) => Promise<void>,
  log: Log,
): () => Promise<void> {
  let stopped = false;
  // A connection may be lost and come back while work on its last message goes on: that message is sent again, and waits here for its first copy.
  let before: Promise<void> = Promise.resolve();

  client.handleMessage = (packet, done) => {
    const { stream } = client;
    const isCurrent = (): boolean => client.stream === stream && !isDestroyed(stream);

    before = before.then(async () => {
      // Never the callback for another connection's message: its packet id may stand for a different message there.
      if (stopped || !isCurrent()) return;
      try {
        await work(packet);
      } catch (error) {
        log.error('A message could not be dealt with; the broker is asked to send it again', {
          topic: packet.topic,
          error,
        });
        stream.destroy();
        return;
      }
      if (isCurrent()) done();
    });
  };

  return () => {
    stopped = true;
    return before;
  };
}

function isDestroyed(stream: unknown): boolean {
  return (stream as { destroyed?: boolean }).destroyed === true;
}
