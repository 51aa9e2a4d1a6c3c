import type { Look } from '../terminal/look.ts';
import type { StatusView } from './status-view.ts';

/** One way to show the signals: one file in formats/ each, with the escaping of its host. */
export interface StatusFormat {
  /** The view at one moment, with the newline at its end. */
  once(view: StatusView, look: Look): string;
  /** What a stream says about a change, whole lines or nothing. @param before the view it said something about last */
  change(view: StatusView, before: StatusView | undefined, look: Look): string;
  /** Lines that are drawn again in place on a terminal; a format without it is a stream there too. */
  frame?(view: StatusView, look: Look): readonly string[];
}

/** The formats of `signalbox status --format`. A new one is one file and one line. */
export const FORMATS = {
  text: async () => (await import('./formats/text.ts')).textFormat,
  json: async () => (await import('./formats/json.ts')).jsonFormat,
} as const satisfies Record<string, () => Promise<StatusFormat>>;

export type FormatName = keyof typeof FORMATS;
export const FORMAT_NAMES = Object.keys(FORMATS) as readonly FormatName[];
