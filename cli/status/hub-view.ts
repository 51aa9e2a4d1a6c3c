import { SignalboxError } from '../../protocol/errors.ts';
import type { Bus } from '../bus.ts';
import type { Board } from './board.ts';
import type { StatusView } from './status-view.ts';
import type { StatusWatch } from './watch.ts';

/** The signals as soon as they are all heard. @throws SignalboxError `no_hub`, `subscription_refused` */
export async function hubView(watch: StatusWatch, board: Board, bus: Bus): Promise<StatusView> {
  await watch.settled();
  const view = board.view();
  if (view.hub.state === 'online') return view;
  throw new SignalboxError('no_hub', {
    detail: `${bus.where()} answers, but no hub is there: ${view.hub.reason}`,
  });
}
