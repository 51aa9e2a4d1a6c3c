import { BlockList, isIP } from 'node:net';
import type { Identity } from '../protocol/roles.ts';
import type { ConnectionFacts, Identify } from './options.ts';

/** The hub's own in-process connections. */
export const HUB: Identity = { roles: ['hub'] };

/** Whoever may open the Unix socket is the user the hub runs as. */
const OWN_USER: Identity = { roles: ['hook', 'viewer', 'operator'] };

/** Any local user can open a TCP port, so a client there may tell and look but not command (spec: bus, "Roles"). */
const LOCAL: Identity = { roles: ['hook', 'viewer'] };

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');
LOOPBACK.addSubnet('::ffff:127.0.0.0', 104, 'ipv6');

/** True for an address or host name that only this machine can reach. */
export function isLoopback(host: string): boolean {
  const family = isIP(host);
  if (family === 0) return host.toLowerCase() === 'localhost';
  return LOOPBACK.check(host, family === 6 ? 'ipv6' : 'ipv4');
}

/**
 * The policy of a broker without accounts: Unix socket = hook, viewer and operator; TCP and WebSocket from loopback = hook and viewer. A client that
 * brings a name or password believes in an account, and there is none, so it is refused rather than let in as somebody else.
 */
export const identifyLocal: Identify = (connection: ConnectionFacts) => {
  if (connection.username !== undefined || connection.password !== undefined) return undefined;
  if (connection.listener === 'socket') return OWN_USER;
  return isLoopback(connection.remoteAddress ?? '') ? LOCAL : undefined;
};
