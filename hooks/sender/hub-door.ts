import { type HubFile, hubAlive } from '../../runtime/hub-file.ts';
import { isLoopback } from '../../runtime/own-host.ts';
import { type Connection, openConnection } from './connection.ts';

/**
 * Opens a connection to the hub of this machine and waits for its CONNACK: by its Unix socket, else by its port. A port that a dead hub has left may be
 * anybody's by now, and what goes through holds whole prompts: so the hub has to be alive, and the address this machine's own.
 * @throws what the last way failed with
 */
export async function openHubDoor(hub: HubFile, clientId: string): Promise<Connection> {
  if (hub.socket !== '') {
    try {
      return await opened(openConnection({ path: hub.socket }, clientId));
    } catch {
      // A sandbox may forbid sockets and allow ports.
    }
  }
  if (!isLoopback(hub.host) || hub.mqtt_port === 0) throw new Error('no port of this machine');
  if ((await hubAlive(hub)) === 'gone') throw new Error('the hub is gone');
  return opened(openConnection({ host: hub.host, port: hub.mqtt_port }, clientId));
}

async function opened(connection: Connection): Promise<Connection> {
  await connection.ready;
  return connection;
}
