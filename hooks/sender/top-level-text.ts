/**
 * The text under a key at the top level of a JSON object, found without parsing the object: 10 MB of tool output would take a parser half of the sender's time. The
 * key and the text have to be plain, without escapes. Broken JSON gives whatever is found up to the break, or `undefined`.
 */
export function topLevelText(json: string, key: string): string | undefined {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    else if (character === '"') {
      const end = endOfString(json, at);
      if (depth === 1 && json.slice(at + 1, end) === key) {
        VALUE.lastIndex = end + 1;
        const value = VALUE.exec(json)?.[1];
        if (value !== undefined) return value;
      }
      at = end;
    }
  }
  return undefined;
}

/** Behind a key: the colon and a text. A string that is a value has none behind it. */
const VALUE = /\s*:\s*"([^"\\]*)"/y;

function endOfString(json: string, open: number): number {
  for (let close = json.indexOf('"', open + 1); close !== -1; close = json.indexOf('"', close + 1)) {
    let backslashes = 0;
    while (json[close - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return close;
  }
  return json.length;
}
