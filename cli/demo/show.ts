import type { StatusFormat } from '../status/format.ts';
import type { Following } from '../status/following.ts';
import { showOnScreen } from '../status/follow-screen.ts';
import type { StatusView } from '../status/status-view.ts';
import { canMoveCursor } from '../terminal/colour.ts';
import { lookAt } from '../terminal/look.ts';
import { palette } from '../terminal/paint.ts';

/** Shows the demo to whoever has started it. */
export interface Show {
  /** An act begins. */
  act(caption: string): void;
  /** What was shown last. */
  shown(): StatusView | undefined;
  /** Gives the terminal back. */
  close(): void;
}

export interface ShowParts {
  readonly following: Following;
  readonly title: string;
  readonly hints: readonly string[];
  /** The user ended it by a key. */
  readonly onEnd: () => void;
}

/** On a terminal the live board with a caption; elsewhere one line an act and a change. */
export function startShow(parts: ShowParts): Show {
  const { context, format } = parts.following;
  const { frame } = format;
  return frame !== undefined && canMoveCursor(context.stdout, context.env)
    ? onScreen(parts, frame)
    : asLines(parts);
}

function onScreen(
  { following, title, hints, onEnd }: ShowParts,
  frame: NonNullable<StatusFormat['frame']>,
): Show {
  let caption = '';
  let last: StatusView | undefined;
  let redraw: () => void = () => undefined;
  const { watch } = following;
  const watched = {
    ...watch,
    onChange(callback: () => void) {
      redraw = callback;
      watch.onChange(callback);
    },
  };
  const stop = showOnScreen(
    { ...following, watch: watched },
    (view, look) => {
      last = view;
      const { bold, dim } = palette(look.colour);
      const board = frame(view, look);
      return [
        '',
        ` ${dim(title)}`,
        ` ${bold(caption)}`,
        ...board.slice(0, -1),
        ...hints.map((line) => dim(` ${line}`)),
        '',
        ...board.slice(-1),
      ];
    },
    onEnd,
  );
  return {
    act(next) {
      caption = next;
      redraw();
    },
    shown: () => last,
    close: stop,
  };
}

function asLines({ following, title, hints }: ShowParts): Show {
  const { watch, board, format, clock, context } = following;
  let before: StatusView | undefined;
  context.stdout.write(`${[title, ...hints].join('\n')}\n`);
  watch.onChange(() => {
    const view = board.view();
    const text = format.change(view, before, lookAt(context, clock.now()));
    if (text === '') return;
    before = view;
    context.stdout.write(text);
  });
  return {
    act: (caption) => void context.stdout.write(`${caption}\n`),
    shown: () => before,
    close: () => watch.onChange(() => undefined),
  };
}
