import { publishPacket, rawClient, TYPE } from './raw-mqtt.ts';

/** What is to be published. */
export interface ToPublish {
  readonly topic: string;
  readonly payload: string;
}

/** Most publishes that wait for their acknowledgement, as MQTT clients have them. */
const WINDOW = 200;

/**
 * Publishes as fast as the broker acknowledges over one connection with QoS 1, written to a plain socket: the load comes from here, so it must cost little.
 * Resolves when every publish has been acknowledged, in order; rejects when the connection ends before.
 */
export async function publishWindow(
  port: number,
  count: number,
  make: (index: number) => ToPublish,
): Promise<void> {
  const client = await rawClient(port);
  const code = await client.handshake();
  if (code !== 0) throw new Error(`refused with ${code}`);
  const idOf = (index: number): number => (index % 60_000) + 1;
  let sent = 0;
  for (let acknowledged = 0; acknowledged < count; acknowledged += 1) {
    const packets: Buffer[] = [];
    // Half a window at a time: as many writes would cost more than what they carry.
    if (sent - acknowledged <= WINDOW / 2) {
      for (; sent < count && sent - acknowledged < WINDOW; sent += 1) {
        const { topic, payload } = make(sent);
        packets.push(publishPacket(topic, payload, { id: idOf(sent) }));
      }
    }
    if (packets.length > 0) client.send(...packets);
    const { type, body } = await client.nextPacket();
    if (type !== TYPE.puback || body.readUInt16BE(0) !== idOf(acknowledged))
      throw new Error(`packet type ${type} in place of acknowledgement ${acknowledged}`);
  }
  client.stream.destroy();
}
