import { isLoopback } from '../../runtime/own-host.ts';
import { shortPath } from '../terminal/short-path.ts';
import type { Hub } from './hub.ts';

export interface BannerParts {
  readonly version: string;
  readonly hub: Pick<Hub, 'mqtt' | 'http'>;
  readonly data: string;
  /** Second sources that the settings turn off, by name. */
  readonly sourcesOff: readonly string[];
  /** The other broker, or empty. */
  readonly brokerUrl: string;
  readonly home: string;
  /** How the user runs our commands. */
  readonly command: string;
}

/** What `up` prints once everything runs: where it listens, and what to do next. */
export function banner({ version, hub, data, sourcesOff, brokerUrl, home, command }: BannerParts): string {
  const { mqtt, http } = hub;
  const rows: [string, string][] = [
    ['MQTT', `${mqtt.host}:${mqtt.port}${brokerUrl === '' ? '' : ` (hooks only; the bus is ${brokerUrl})`}`],
    ...(mqtt.socket === '' ? [] : [['Socket', shortPath(mqtt.socket, home)] as [string, string]]),
    ['HTTP', `${urlOf(http)}${isLoopback(http.host) ? '' : ' (to other machines too, with the token)'}`],
    ['Data', shortPath(data, home)],
    ...(sourcesOff.length === 0
      ? []
      : [['Sources', `off in the settings: ${sourcesOff.join(', ')}`] as [string, string]]),
  ];
  const lines = rows.map(([name, value]) => `  ${name.padEnd(8)}${value}`);
  return [
    `Signalbox ${version} is up.`,
    ...lines,
    '',
    `Next, in another terminal:  ${command} status --follow`,
    'Stop with Ctrl-C.',
    '',
  ].join('\n');
}

function urlOf({ host, port }: { readonly host: string; readonly port: number }): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
