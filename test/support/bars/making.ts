import { type Bar, barOf, type BarParts } from '../../../cli/status/bar/bar.ts';
import type { OwnCommand } from '../../../cli/status/bar/menu-command.ts';
import type { HubView, ProviderStatus } from '../../../cli/status/status-view.ts';
import type { SignalPayload } from '../../../protocol/messages/signal.ts';
import { compareLamps } from '../../../protocol/lamp.ts';

export const NOW = Date.UTC(2026, 0, 2, 9, 4, 31);

/** The commands of a menu, as if they were those of an installation. */
export const command: OwnCommand = (...args) => ['/opt/node/bin/node', '/opt/signal box/main.js', ...args];

/** A bar as it is with these signals; the strongest lamp is the lamp of all. */
export function barWith(
  signals: Readonly<Record<string, SignalPayload>>,
  parts: Partial<BarParts> = {},
  hub: HubView = { state: 'online' },
): Bar {
  const providers: ProviderStatus[] = Object.entries(signals).map(([provider, signal]) => ({
    provider,
    signal,
  }));
  const lamp = providers.map(({ signal }) => signal.lamp).sort(compareLamps)[0] ?? 'ready';
  const shown =
    parts.provider === undefined ? providers : providers.filter((p) => p.provider === parts.provider);
  return barOf({ hub, lamp, line: '', providers: shown, info: undefined }, { now: NOW, ...parts });
}

/** A wait in this project, two minutes old. */
export function waitIn(name: string, project: string): SignalPayload {
  return {
    v: 1,
    name,
    lamp: 'permission',
    attention: {
      state: 'needs_user',
      count: 1,
      primary_project: project,
      projects: [project],
      reason: 'permission_request',
      since: NOW / 1000 - 125,
      updated_at: NOW / 1000 - 125,
    },
    alert: 1,
  };
}
