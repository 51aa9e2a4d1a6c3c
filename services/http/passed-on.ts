import type { IncomingHttpHeaders } from 'node:http';
import { hostNameOf, isLoopback } from '../../runtime/own-host.ts';

/** What programs in front of a port add (RFC 9110, section 7.6.3; RFC 7239; the others are a habit). */
const ADDED = /^(?:via|forwarded|x-forwarded-.+|x-real-ip)$/;

/**
 * True for a request that another program has passed on: whoever sent it need not be on this machine, though the connection comes from here. Such a program hands over the name that was
 * asked for, or adds a header of its own; one that does neither can't be told from a program of this machine.
 */
export function isPassedOn(headers: IncomingHttpHeaders): boolean {
  const name = hostNameOf(headers.host);
  return name === undefined || !isLoopback(name) || Object.keys(headers).some((header) => ADDED.test(header));
}
