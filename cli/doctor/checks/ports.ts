import { once } from 'node:events';
import { connect } from 'node:net';
import { type ListenTarget, MQTT_PORT_FLAG, portTaken } from '../../../broker/listeners/listen-error.ts';
import { isLoopback } from '../../../runtime/own-host.ts';
import { brokenBy, type Check, type Finding, ok, warning } from '../check.ts';
import type { Facts } from '../facts.ts';

/** Longest that something may take to accept a connection on this machine [ms]. */
const ACCEPT_WITHIN = 1_000;

/** Where the hub listens, or whether it could. It connects, and listens on nothing: a hub may be starting. */
export const portsCheck: Check = {
  name: 'ports',
  async run(facts) {
    const { hub } = facts;
    if (hub.kind === 'running') {
      const { host, mqtt_port, http_port, http_host = host, socket } = hub.file;
      const places = [`MQTT ${host}:${mqtt_port}`, `HTTP ${http_host}:${http_port}`];
      return [
        ok(places.join(', '), { host, mqtt_port, http_host, http_port, socket }),
        ...(isLoopback(http_host) ? [] : [OPEN_HTTP]),
      ];
    }
    // One that is silent holds its ports itself, or has told why it doesn't.
    if (hub.kind === 'silent') return [];
    const targets = wanted(facts);
    const taken = (await Promise.all(targets.map(takenBy))).flat();
    if (taken.length > 0) return taken;
    const free = targets.map(({ host, port }) => `${host}:${port === 0 ? 'any' : port}`);
    return [ok(`free: MQTT ${free[0]}, HTTP ${free[1]}`)];
  },
};

const OPEN_HTTP = warning(
  'http_open',
  'Other machines reach the HTTP port. It wants the token, which goes over the network as it is: whoever listens there has it.',
  'Take http.listen out of the settings, or put a program with TLS in front of the port and let it listen on 127.0.0.1',
);

function wanted({ settings: { config } }: Facts): ListenTarget[] {
  const { broker, http } = config;
  return [
    { host: broker.listen, port: broker.port, flag: MQTT_PORT_FLAG },
    { host: http.listen, port: http.port, flag: '--http-port' },
  ];
}

async function takenBy(target: ListenTarget): Promise<Finding[]> {
  if (target.port === 0 || !(await accepts(target))) return [];
  return [brokenBy(await portTaken(target))];
}

async function accepts({ host, port }: ListenTarget): Promise<boolean> {
  const everywhere = host === '0.0.0.0' || host === '::';
  const socket = connect({ host: everywhere ? 'localhost' : host, port });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(ACCEPT_WITHIN) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
