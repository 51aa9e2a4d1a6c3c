import { SERVICE_NAME } from '../service/manager.ts';
import { shortPath } from '../terminal/short-path.ts';
import type { Plan } from './plan.ts';

/** What an uninstall does, a line each; empty where there is nothing to do. @param data is it known that data and settings go too? */
export function planLines(
  { installing, changes, unreadable, plugins, service, hub, broker, hasSender, folders }: Plan,
  data: boolean,
): readonly string[] {
  const short = (path: string): string => shortPath(path, installing.machine.home);
  const rows: [string, string][] = [
    ...changes.map(({ change, hooks }): [string, string] => [
      'Hooks',
      `${'record' in change.agent ? 'notify' : hooks} out of ${short(change.path)}${change.after === undefined ? ', which goes too' : ''}`,
    ]),
    ...unreadable.map(({ agent }): [string, string] => [
      'Hooks',
      `stay in ${short(agent.file(installing.machine))}, which can't be understood`,
    ]),
  ];
  for (const plugin of plugins)
    rows.push(['Plugin', `${plugin} stays in Claude, and does nothing: take it out there by "/plugin"`]);
  if (service?.state === 'current' || service?.state === 'outdated')
    rows.push(['Service', `${SERVICE_NAME} is stopped, and ${short(service.manager.file)} removed`]);
  if (service?.state === 'elsewhere')
    rows.push(['Service', `${short(service.manager.file)} stays: it runs the hub of another data folder`]);
  if (hub !== undefined) rows.push(['Hub', `process ${hub.pid} is stopped`]);
  if (broker !== undefined) {
    const under = broker.prefix === '' ? '' : ` under ${broker.prefix}`;
    rows.push(['Broker', `what Signalbox keeps at ${broker.url}${under} is cleared`]);
  }
  if (hasSender) rows.push(['Sender', `${short(installing.sender.path)} is removed`]);
  if (data) rows.push(...folders.map((folder): [string, string] => ['Data', `${short(folder)} is deleted`]));
  const label = (name: string, index: number): string =>
    (rows[index - 1]?.[0] === name ? '' : name).padEnd(9);
  return rows.map(([name, what], index) => `  ${label(name, index)}${what}`);
}
