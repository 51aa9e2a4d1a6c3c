import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { listenError, MQTT_PORT_FLAG } from './listen-error.ts';

/** After a minute of silence the system asks whether the peer still exists: a half-open connection with keep alive 0 would stay for ever. */
const PROBE_MS = 60_000;

/** A listener that is open. */
export interface TcpListener {
  readonly server: Server;
  readonly port: number;
}

/**
 * Listens for MQTT over TCP.
 * @throws {SignalboxError} `port_taken`, `address_unavailable`
 */
export async function listenTcp(
  { host, port }: { host: string; port: number },
  accept: (socket: Socket) => void,
): Promise<TcpListener> {
  const server = createServer({ keepAlive: true, keepAliveInitialDelay: PROBE_MS }, (socket) => {
    // With Nagle's algorithm small messages wait 40 ms for the peer's delayed acknowledgement.
    socket.setNoDelay(true);
    accept(socket);
  });
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (error) {
    throw await listenError(error, { host, port, flag: MQTT_PORT_FLAG });
  }
  return { server, port: (server.address() as AddressInfo).port };
}
