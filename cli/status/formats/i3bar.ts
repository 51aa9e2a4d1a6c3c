import { plainText } from '../../../runtime/plain-text.ts';
import type { Bar } from '../bar/bar.ts';
import type { BarFormat } from '../bar/bar-format.ts';
import { glyphAndHeadline, signalText, withGlyph } from '../bar/bar-text.ts';
import { type BarState, signOf } from '../bar/sign.ts';

/** The name of our blocks, by which a click is known to be ours. */
export const BLOCK_NAME = 'signalbox';

/**
 * The i3bar protocol (i3wm.org/docs/i3bar-protocol.html), for i3bar and swaybar: one block an agent that is not at rest, or one for all. Without `markup` a
 * text is shown as it is.
 */
export const i3barFormat: BarFormat = {
  kind: 'bar',
  clicks: () => true,
  opening: '{"version":1,"click_events":true}\n[\n',
  once: (bar) => `${JSON.stringify(blocks(bar))}\n`,
  frame: (bar) => `${JSON.stringify(blocks(bar))},\n`,
};

/** One block. @property instance slug of the agent it is about */
interface Block {
  readonly name: string;
  readonly instance?: string;
  readonly full_text: string;
  readonly short_text: string;
  readonly color: string;
  readonly urgent: boolean;
}

function blocks(bar: Bar): Block[] {
  const { state, providers, now } = bar;
  const busy = providers.filter(({ signal }) => signal.attention.state !== 'idle' || signal.lamp !== 'ready');
  if (state === 'offline' || state === 'paused' || busy.length === 0)
    return [block(state, glyphAndHeadline(bar))];
  return busy.map(({ provider, signal }) => ({
    ...block(signal.lamp, withGlyph(signal.lamp, signalText(signal, now))),
    instance: provider,
  }));
}

function block(state: BarState, text: string): Block {
  const { glyph, rgb, loud } = signOf(state);
  return {
    name: BLOCK_NAME,
    full_text: escapeI3bar(text),
    short_text: glyph,
    color: rgb,
    urgent: loud,
  };
}

/** i3bar has no language inside a text while `markup` is left out; JSON's own escaping does the rest. */
export function escapeI3bar(text: string): string {
  return plainText(text);
}
