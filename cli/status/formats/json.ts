import type { StatusFormat } from '../format.ts';
import type { StatusView } from '../status-view.ts';

/**
 * The signals for programs: what the bus holds and nothing else. While the hub is gone nothing is known, so nothing is given: a script that read the last
 * lamps would take them for live.
 */
export const jsonFormat: StatusFormat = {
  kind: 'signals',
  once: (view) => `${JSON.stringify(toJson(view), undefined, 2)}\n`,
  change(view, before) {
    const line = JSON.stringify(toJson(view));
    return before !== undefined && line === JSON.stringify(toJson(before)) ? '' : `${line}\n`;
  },
};

function toJson({ hub, lamp, line, providers }: StatusView): object {
  if (hub.state !== 'online') return { hub: 'offline', lamp: null, line: null, providers: [] };
  return {
    hub: 'online',
    lamp: lamp ?? null,
    line: line ?? null,
    providers: providers.map(({ provider, signal }) => ({ provider, ...signal })),
  };
}
