import { SignalboxError } from '../../protocol/errors.ts';
import type { CommandContext } from '../context.ts';
import { canMoveCursor } from '../terminal/colour.ts';
import { lookAt } from '../terminal/look.ts';
import { showOnScreen } from './follow-screen.ts';
import type { Following } from './following.ts';
import type { StatusView } from './status-view.ts';
import type { StatusWatch } from './watch.ts';

/** Shows the signals in place on a terminal, as a stream elsewhere. @param onEnd called when the user ends it by a key; @returns stops it */
export function showSignals(following: Following, onEnd: () => void): () => void {
  const { format, context } = following;
  return format.frame !== undefined && canMoveCursor(context.stdout, context.env)
    ? showOnScreen(following, format.frame, onEnd)
    : showAsStream(following);
}

/**
 * Keeps something shown until Ctrl-C or SIGTERM, or until it ends by itself. A hub that is not there yet, or goes, is waited for.
 * @param show begins, and gives what stops it; it is handed what to call at its own end
 * @throws SignalboxError `subscription_refused`
 */
export async function followUntilEnd(
  watch: StatusWatch,
  { ending }: Pick<CommandContext, 'ending'>,
  show: (onEnd: () => void) => () => void,
): Promise<void> {
  const own = new AbortController();
  const ended = aborted(AbortSignal.any([ending(), own.signal]));
  const stop = show(() => own.abort());
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
