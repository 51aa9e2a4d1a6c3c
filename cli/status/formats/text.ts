import { signalContent } from '../../../protocol/messages/signal.ts';
import { cellText, cutToWidth } from '../../terminal/cells.ts';
import { timeOfDay } from '../../terminal/duration.ts';
import { lampBadge } from '../../terminal/lamp-badge.ts';
import type { Look } from '../../terminal/look.ts';
import { palette } from '../../terminal/paint.ts';
import { type Cell, layOut } from '../../terminal/table.ts';
import type { StatusFormat } from '../format.ts';
import { providerColumns, providerRow, unknownRow } from '../provider-row.ts';
import type { ProviderStatus, StatusView } from '../status-view.ts';

/** The signals for people in a terminal: one line for all, then one a provider. */
export const textFormat: StatusFormat = {
  kind: 'signals',
  once: (view, look) => `${lines(view, look).join('\n')}\n`,
  frame: (view, look) => ['', ...lines(view, look), '', palette(look.colour).dim(' Ctrl-C ends.')],
  change,
};

function lines(view: StatusView, look: Look): string[] {
  const { hub, providers } = view;
  const head = [headLine(view, look)];
  const isLive = hub.state === 'online';
  if (providers.length === 0) return isLive ? [...head, '', '    No agent has reported yet.'] : head;
  const rows = providers.map((status) => (isLive ? providerRow(status, look) : unknownRow(status, look)));
  return [...head, '', ...layOut(rows, providerColumns(), { width: look.width, absolute: look.terminal })];
}

/** The overall lamp and line, or that the hub is gone. */
function headLine({ hub, lamp, line }: StatusView, look: Look): string {
  const { bold } = palette(look.colour);
  const shown = hub.state === 'online' ? (lamp ?? 'stale') : 'stale';
  const badge = lampBadge(shown, moment(look));
  const text =
    hub.state === 'online'
      ? cellText(line ?? 'State not known')
      : `Hub gone since ${timeOfDay(hub.since)} (${cellText(hub.reason)}). States are not known.`;
  return `${badge.paint(badge.text)}  ${bold(cutToWidth(text, look.width - 5))}`;
}

/** One line for each provider whose signal is another one, and for a hub that went or came back. */
function change(view: StatusView, before: StatusView | undefined, look: Look): string {
  const time: Cell = { text: timeOfDay(look.now), paint: palette(look.colour).dim };
  const rows: (readonly Cell[])[] = [];
  const isLive = view.hub.state === 'online';
  const wasLive = before?.hub.state === 'online';
  if (view.hub.state === 'gone' && (before === undefined || wasLive)) {
    const badge = lampBadge('stale', { colour: look.colour });
    const text = `Hub gone (${view.hub.reason}). States are not known.`;
    return `${time.paint?.(time.text) ?? time.text}  ${badge.paint(badge.text)}  ${cellText(text)}\n`;
  }
  if (!isLive) return '';
  // After the hub was gone nothing that was said before counts.
  const known = new Map(
    (wasLive ? before.providers : []).map(({ provider, signal }) => [provider, signalContent(signal)]),
  );
  for (const status of view.providers) {
    if (known.get(status.provider) !== signalContent(status.signal))
      rows.push([time, ...providerRow(status, look)]);
    known.delete(status.provider);
  }
  for (const gone of wasLive ? before.providers : []) {
    if (known.has(gone.provider)) rows.push([time, ...removedRow(gone, look)]);
  }
  const columns = [{}, ...providerColumns({ name: 9, state: 10 })];
  return layOut(rows, columns, { width: look.width, absolute: look.terminal })
    .map((line) => `${line}\n`)
    .join('');
}

function removedRow({ signal }: ProviderStatus, { colour }: Look): readonly Cell[] {
  return [lampBadge('paused', { colour }), { text: signal.name }, { text: 'removed' }];
}

function moment({ colour, rhythm, now }: Look): { colour: boolean; elapsed?: number } {
  return rhythm ? { colour, elapsed: now } : { colour };
}
