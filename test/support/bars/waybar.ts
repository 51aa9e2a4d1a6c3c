/** What Waybar makes of a line with `return-type: json` and without `escape` (custom.cpp): text and tooltip go through Pango's markup. */
export interface WaybarShows {
  readonly text: string;
  readonly tooltip: readonly string[];
  readonly alt: string;
  readonly classes: readonly string[];
}

/** @throws SyntaxError for what is no JSON, Error for markup in what is shown */
export function readWaybar(line: string): WaybarShows {
  const parsed = JSON.parse(line) as Record<'text' | 'tooltip' | 'alt', string> & { class: string[] };
  return {
    text: plainOfPango(parsed.text),
    tooltip: parsed.tooltip.split('\r').map(plainOfPango),
    alt: parsed.alt,
    classes: parsed.class,
  };
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

function plainOfPango(markup: string): string {
  if (markup.includes('<')) throw new Error(`a tag in: ${markup}`);
  return markup.replace(/&([^;]*;?)/g, (_, name: string) => {
    const character = ENTITIES[name.replace(/;$/, '')];
    if (character === undefined || !name.endsWith(';')) throw new Error(`no entity: &${name} in ${markup}`);
    return character;
  });
}
