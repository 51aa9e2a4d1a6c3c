import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { type Duplex, PassThrough } from 'node:stream';
import { readHubFile } from '../runtime/hub-file.ts';
import { failureReason } from '../runtime/link/failure.ts';

/**
 * The way to the hub of a data folder. hub.json is read again for every attempt: a hub that starts again may listen elsewhere. Its Unix socket goes before its port, since who may open
 * that is known to be this user (spec: bus, "Roles").
 */
export class HubDoor {
  readonly #hubFile: string;
  #where: string;
  #problem: string | undefined;

  constructor(hubFile: string) {
    this.#hubFile = hubFile;
    this.#where = hubFile;
  }

  /** What was tried last. */
  get where(): string {
    return this.#where;
  }

  /** Why that failed, when it is known. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Opens a connection; where no hub is to be found, one that has ended. */
  open(): Duplex {
    this.#problem = undefined;
    const hub = readHubFile(this.#hubFile);
    if (hub === undefined) {
      this.#where = this.#hubFile;
      this.#problem = existsSync(this.#hubFile) ? 'it is damaged' : 'there is no such file';
      return new PassThrough().destroy();
    }
    const bySocket = hub.socket !== '' && existsSync(hub.socket);
    this.#where = bySocket ? `the socket ${hub.socket}` : `${hub.host}:${hub.mqtt_port}`;
    return this.#watch(bySocket ? connect(hub.socket) : connect(hub.mqtt_port, hub.host));
  }

  /** MQTT.js passes only some of a stream's errors on. */
  #watch(socket: Socket): Socket {
    socket.setNoDelay(true);
    return socket.once('error', (error) => {
      this.#problem = failureReason(error);
    });
  }
}
