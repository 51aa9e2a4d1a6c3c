import { BlockList, isIP } from 'node:net';

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

/** The headers by which a request gives away that a web page sent it. */
export interface RequestHeaders {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
}

/** Under what our HTTP port is reached, beside loopback. */
export interface OwnHosts {
  /** In any case. */
  readonly names: readonly string[];
  /** By any address: a name can be pointed here by somebody else, an address can't. For a port that listens beyond this machine. */
  readonly addresses: boolean;
}

const LOOPBACK_ALONE: OwnHosts = { names: [], addresses: false };

/**
 * Why a request to our HTTP port is not ours: any web page can send requests to this machine. Its Origin gives it away, and the Host does when its name was
 * pointed here afterwards (DNS rebinding). Programs send no Origin. `undefined`: it may pass.
 */
export function foreignRequest(
  { host, origin }: RequestHeaders,
  own: OwnHosts = LOOPBACK_ALONE,
): 'foreign_host' | 'foreign_origin' | undefined {
  const ours = urlOf(`http://${host ?? ''}`);
  if (ours === undefined || !isOwn(nameOf(ours), own)) return 'foreign_host';
  return origin !== undefined && urlOf(origin)?.host !== ours.host ? 'foreign_origin' : undefined;
}

/** The name or address in a Host header, without port and brackets; `undefined` where it holds none. */
export function hostNameOf(host: string | undefined): string | undefined {
  const url = urlOf(`http://${host ?? ''}`);
  return url === undefined ? undefined : nameOf(url);
}

/** A URL writes an IPv6 address in brackets. */
function nameOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function isOwn(name: string, { names, addresses }: OwnHosts): boolean {
  if (isLoopback(name) || (addresses && isIP(name) !== 0)) return true;
  return names.some((allowed) => allowed.toLowerCase() === name.toLowerCase());
}

function urlOf(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return /^https?:$/.test(url.protocol) ? url : undefined;
}
