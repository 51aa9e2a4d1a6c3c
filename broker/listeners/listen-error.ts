import { SignalboxError } from '../../protocol/errors.ts';
import { plainText } from '../../runtime/plain-text.ts';
import { portHolder } from './port-holder.ts';

export interface ListenTarget {
  readonly host: string;
  readonly port: number;
  /** The option that changes the port or address, as a user writes it. */
  readonly flag: string;
}

/** The flag of the MQTT listener. */
export const MQTT_PORT_FLAG = '--port';

/**
 * Turns what `listen` failed with into an error of the catalogue: `port_taken`, naming the process that holds the port where that can be found, or
 * `address_unavailable`. Anything else is handed back as it is.
 */
export async function listenError(error: unknown, target: ListenTarget): Promise<unknown> {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  const { host, flag } = target;
  switch (code) {
    case 'EADDRINUSE':
      return portTaken(target, error);
    case 'EADDRNOTAVAIL':
    case 'EACCES':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new SignalboxError('address_unavailable', { host, reason: code, flag }, { cause: error });
    default:
      return error;
  }
}

/** The error for a port that another program listens on, with that program's name where the system tells it. @param cause what `listen` failed with */
export async function portTaken(
  { host, port, flag }: ListenTarget,
  cause?: unknown,
): Promise<SignalboxError> {
  const found = await portHolder(port);
  const holder = found === undefined ? '' : ` by ${plainText(found.name)} (pid ${found.pid})`;
  return new SignalboxError('port_taken', { port, host, holder, flag }, { cause });
}
