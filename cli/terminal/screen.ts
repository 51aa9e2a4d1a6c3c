import type { CommandContext } from '../context.ts';

const ESC = '\u001b';
/** The alternate screen leaves what stood on the terminal as it was; lines are clipped, not wrapped; the cursor is hidden. */
const ENTER = `${ESC}[?1049h${ESC}[?7l${ESC}[?25l`;
const LEAVE = `${ESC}[?25h${ESC}[?7h${ESC}[?1049l`;
const CLEAR = `${ESC}[2J`;
/** A terminal that knows synchronised output shows a frame as a whole; the others pass over it. */
const BEGIN = `${ESC}[?2026h`;
const END = `${ESC}[?2026l`;

const CTRL_C = '\u0003';
const CTRL_Z = '\u001a';

export interface ScreenEvents {
  /** The user asked for the end: Ctrl-C or q. */
  onEnd(): void;
  /** What stood on the screen is gone: it has another size, or the program was stopped and goes on. */
  onRedraw(): void;
}

/** A terminal that is drawn on in place. */
export interface Screen {
  /** Shows these lines from the top; only those that changed are written. What does not fit is left out at the end. */
  draw(lines: readonly string[]): void;
  /** Gives the terminal back as it was. */
  close(): void;
}

/** Takes the terminal over until `close`, or until the process ends. */
export function openScreen(
  { stdin, stdout }: Pick<CommandContext, 'stdin' | 'stdout'>,
  events: ScreenEvents,
): Screen {
  let shown: readonly string[] = [];
  let isOpen = false;

  function enter(): void {
    isOpen = true;
    shown = [];
    if (stdin.isTTY) stdin.setRawMode(true).resume();
    stdout.write(ENTER + CLEAR);
  }

  function leave(): void {
    if (!isOpen) return;
    isOpen = false;
    if (stdin.isTTY) stdin.setRawMode(false).pause();
    stdout.write(LEAVE);
  }

  function onKey(chunk: Buffer): void {
    for (const key of chunk.toString('utf8')) {
      if (key === CTRL_C || key === 'q') events.onEnd();
      // In raw mode the terminal sends no signal; without it Ctrl-Z would do nothing.
      else if (key === CTRL_Z) {
        leave();
        process.kill(process.pid, 'SIGTSTP');
      }
    }
  }

  function onContinue(): void {
    if (!isOpen) enter();
    events.onRedraw();
  }

  function onResize(): void {
    shown = [];
    stdout.write(CLEAR);
    events.onRedraw();
  }

  enter();
  stdin.on('data', onKey);
  stdout.on('resize', onResize);
  process.on('SIGCONT', onContinue);
  // However the program ends, the terminal is usable afterwards.
  process.on('exit', leave);

  return {
    draw(lines) {
      if (!isOpen) return;
      const next = lines.slice(0, stdout.rows);
      const rows = Math.max(next.length, shown.length);
      let out = '';
      for (let row = 0; row < rows; row += 1) {
        if (next[row] === shown[row]) continue;
        // Erased first: after a line that ends in the last column the cursor still stands on its last character.
        out += `${ESC}[${row + 1};1H${ESC}[2K${next[row] ?? ''}`;
      }
      shown = next;
      if (out !== '') stdout.write(BEGIN + out + END);
    },
    close() {
      stdin.off('data', onKey);
      stdout.off('resize', onResize);
      process.off('SIGCONT', onContinue);
      process.off('exit', leave);
      leave();
    },
  };
}
