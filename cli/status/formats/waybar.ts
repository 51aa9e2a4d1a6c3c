import { plainText } from '../../../runtime/plain-text.ts';
import type { BarFormat } from '../bar/bar-format.ts';
import { glyphAndHeadline, signalText, withGlyph } from '../bar/bar-text.ts';

/**
 * Waybar's `custom` module with `return-type: json` and without `escape`. The rhythm is CSS: the class is the display state, `waiting` beside it while an agent
 * waits.
 */
export const waybarFormat: BarFormat = {
  kind: 'bar',
  once(bar) {
    const { state, providers, waits, now } = bar;
    const rows = providers.map(({ signal }) => withGlyph(signal.lamp, signalText(signal, now)));
    const tooltip = state === 'offline' ? ['No hub is there. States are not known.'] : rows;
    return `${JSON.stringify({
      text: escapeWaybar(glyphAndHeadline(bar)),
      alt: state,
      tooltip: tooltip.map(escapeWaybar).join('\r'),
      class: waits > 0 ? [state, 'waiting'] : [state],
    })}\n`;
  },
};

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text and tooltip are Pango markup. */
export function escapeWaybar(text: string): string {
  return plainText(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
