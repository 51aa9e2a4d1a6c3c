import { SignalboxError } from '../../protocol/errors.ts';
import { canMoveCursor } from '../terminal/colour.ts';
import { lookAt } from '../terminal/look.ts';
import { showOnScreen } from './follow-screen.ts';
import type { Following } from './following.ts';
import type { StatusView } from './status-view.ts';
import type { StatusWatch } from './watch.ts';

/**
 * Shows the signals until Ctrl-C or SIGTERM: in place on a terminal, as a stream elsewhere. A hub that is not there yet, or goes, is waited for and said to be gone.
 * @throws SignalboxError `subscription_refused`
 */
export async function followStatus(following: Following): Promise<void> {
  const { watch, format, context } = following;
  const keys = new AbortController();
  const ended = aborted(AbortSignal.any([context.ending(), keys.signal]));
  const { frame } = format;
  const stop =
    frame !== undefined && canMoveCursor(context.stdout, context.env)
      ? showOnScreen(following, frame, () => keys.abort())
      : showAsStream(following);
  try {
    await Promise.race([ended, hubOrNone(watch).then(() => ended)]);
  } finally {
    stop();
  }
}

/** A hub that does not answer is no reason to end, an account that may not look is one. */
async function hubOrNone(watch: StatusWatch): Promise<void> {
  try {
    await watch.settled();
  } catch (error) {
    if (!(error instanceof SignalboxError) || error.code !== 'no_hub') throw error;
  }
}

function showAsStream({ watch, board, format, clock, context }: Following): () => void {
  let before: StatusView | undefined;
  watch.onChange(() => {
    const view = board.view();
    const text = format.change(view, before, lookAt(context, clock.now()));
    if (text === '') return;
    before = view;
    context.stdout.write(text);
  });
  return () => watch.onChange(() => undefined);
}

/** Resolves when the signal is aborted. */
function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
