import type { Identity } from '../protocol/roles.ts';
import { isLoopback } from '../runtime/own-host.ts';
import type { ConnectionFacts, Identify } from './options.ts';

/** The hub's own in-process connections. */
export const HUB: Identity = { roles: ['hub'] };

/** Whoever may open the Unix socket, or has the token that lies beside it, is the user the hub runs as. */
const OWN_USER: Identity = { roles: ['hook', 'viewer', 'operator'] };

/** Any local user can open a TCP port, so a client there may tell and look but not command (spec: bus, "Roles"). */
const LOCAL: Identity = { roles: ['hook', 'viewer'] };

/**
 * The policy of a broker without accounts: Unix socket, and a WebSocket with the HTTP port's token = hook, viewer and operator; TCP and WebSocket from loopback = hook and viewer. A client that
 * brings a name or password believes in an account, and there is none, so it is refused rather than let in as somebody else.
 */
export const identifyLocal: Identify = (connection: ConnectionFacts) => {
  if (connection.username !== undefined || connection.password !== undefined) return undefined;
  if (connection.listener === 'socket' || connection.bearer === true) return OWN_USER;
  return isLoopback(connection.remoteAddress ?? '') ? LOCAL : undefined;
};
