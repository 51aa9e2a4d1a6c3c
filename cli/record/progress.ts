import { plainText } from '../../runtime/plain-text.ts';
import type { CommandContext } from '../context.ts';
import { canMoveCursor } from '../terminal/colour.ts';

/** What a recording says of itself on stderr. */
export interface Progress {
  /** So many events are in the file. */
  tell(events: number): void;
  end(events: number): void;
}

/** On a terminal one line that counts; elsewhere a line at the start and one at the end. @param path the recording's */
export function startProgress({ stderr, env }: CommandContext, path: string): Progress {
  const file = plainText(path);
  const counts = canMoveCursor(stderr, env);
  const line = `Recording to ${file}. Ctrl-C ends it.`;
  if (!counts) stderr.write(`${line}\n`);
  const tell = (events: number): void => {
    if (counts) stderr.write(`\r\u001b[2K${line} ${eventsText(events)}`);
  };
  tell(0);
  return {
    tell,
    end: (events) => void stderr.write(`${counts ? '\n' : ''}${endText(events, file)}`),
  };
}

/** What is said of a recording that is whole. */
export function endText(events: number, file: string): string {
  return `${eventsText(events)} in ${file}. What they amount to: signalbox replay ${file}\n`;
}

function eventsText(events: number): string {
  return events === 1 ? '1 event' : `${events} events`;
}
