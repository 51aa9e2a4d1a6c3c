import type { Config } from '../../runtime/config/schema.ts';
import { isLoopback, type OwnHosts } from '../../runtime/own-host.ts';

/** Under what the HTTP port is reached: where other machines may come, by any address and by this machine's name, also the one that mDNS gives it. */
export function ownHostsOf({ http, host }: Pick<Config, 'http' | 'host'>): OwnHosts {
  if (isLoopback(http.listen)) return { names: http.hosts, addresses: false };
  return { names: [...http.hosts, http.listen, host, `${host}.local`], addresses: true };
}
