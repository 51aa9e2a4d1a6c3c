import type { Look } from '../terminal/look.ts';
import type { BarFormat } from './bar/bar-format.ts';
import type { StatusView } from './status-view.ts';

/** One way to show the signals to people and programs; status bars have their own (bar/bar-format.ts). One file in formats/ each. */
export interface StatusFormat {
  readonly kind: 'signals';
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
  swiftbar: async () => (await import('./formats/swiftbar.ts')).swiftbarFormat,
  xbar: async () => (await import('./formats/xbar.ts')).xbarFormat,
  argos: async () => (await import('./formats/argos.ts')).argosFormat,
  waybar: async () => (await import('./formats/waybar.ts')).waybarFormat,
  i3bar: async () => (await import('./formats/i3bar.ts')).i3barFormat,
  i3blocks: async () => (await import('./formats/i3blocks.ts')).i3blocksFormat,
  polybar: async () => (await import('./formats/polybar.ts')).polybarFormat,
  tmux: async () => (await import('./formats/tmux.ts')).tmuxFormat,
  starship: async () => (await import('./formats/starship.ts')).starshipFormat,
} as const satisfies Record<string, () => Promise<StatusFormat | BarFormat>>;

export type FormatName = keyof typeof FORMATS;
export const FORMAT_NAMES = Object.keys(FORMATS) as readonly FormatName[];
