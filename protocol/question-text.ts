/** A line of prose as question detection sees it: without code, quotations, addresses and marks. */
export interface ProseLine {
  readonly text: string;
  /** `choice`: begins with a number, a letter or "Option A"; `bullet`: another list entry; `text`: the rest. */
  readonly kind: 'choice' | 'bullet' | 'text';
}

/** How much of the end is looked at, in UTF-16 code units: a message's question stands in its last sentences. */
const TAIL = 4000;
const FENCE = /^[ \t]*(?:`{3,}|~{3,})/;
const FENCES = /(?:^|\n)[ \t]*(?:`{3,}|~{3,})/g;
const CHOICE =
  /^(?:(?:option|variante|opción|方案|选项)\s*(?:\d{1,2}|[a-h])(?![\p{L}\p{N}])|[（(]?(?:\d{1,2}|[a-h])[.):）、．](?=\s|\p{L}))[.):：\s–—-]*/iu;
const BULLET = /^[-+•·‣◦]\s+/;
// Not counted (spec: state, section 7): quoted lines, headings, tables, rules.
const NOT_PROSE = /^(?:>|#{1,6}\s|\||(?:[-=_]\s?){3,}$)/;

/** The prose lines at a message's end, cleaned, empty ones left out. */
export function proseTail(message: string): ProseLine[] {
  const start = Math.max(0, message.length - TAIL);
  // A fence that opened before the tail still stands: an odd number of them.
  let code = opensFence(message.slice(0, start));
  const lines: ProseLine[] = [];
  for (const raw of message.slice(start).split('\n')) {
    if (FENCE.test(raw)) {
      code = !code;
    } else if (!code) {
      const line = proseLine(raw);
      if (line !== undefined) lines.push(line);
    }
  }
  return lines;
}

function opensFence(head: string): boolean {
  let open = false;
  while (FENCES.test(head)) open = !open;
  return open;
}

function proseLine(raw: string): ProseLine | undefined {
  const trimmed = raw.trim();
  const plain = trimmed.replace(/^[*_]{1,3}(?=\S)/, '');
  const choice = CHOICE.test(plain);
  const bullet = !choice && (BULLET.test(trimmed) || /^\*\s/.test(trimmed));
  // Four spaces make a code block, but for a list's inner levels.
  if (!choice && !bullet && /^(?: {4}|\t)/.test(raw)) return undefined;
  if (NOT_PROSE.test(trimmed) && !bullet) return undefined;
  const text = clean(choice ? plain.replace(CHOICE, '') : bullet ? trimmed.slice(1) : trimmed);
  if (text === '') return undefined;
  return { text, kind: choice ? 'choice' : bullet ? 'bullet' : 'text' };
}

/** Takes out what doesn't count; a word stands for code, quotations and addresses, so that the sentence round them stays one. */
function clean(text: string): string {
  return text
    .replace(/`[^`]+`/g, 'x')
    .replace(/\]\([^()]*\)/g, '')
    .replace(/https?:\/\/\S+/g, 'x')
    .replace(/"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|「[^」]*」|『[^』]*』/g, 'x')
    .replace(/[’ʼ]/g, "'")
    .replace(/[*_~[\]]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

/** The sentences of a line, their marks kept. */
export function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?…]['")]*)\s+|(?<=[。！？])/)
    .map((sentence) => undecorated(sentence).trim())
    .filter((sentence) => sentence !== '');
}

/** What may follow a question mark: `(y/n)`, pictures, closing brackets. Not more of it than anybody writes: the search is quadratic. */
function undecorated(sentence: string): string {
  const end = Math.max(0, sentence.length - LONGEST_DECORATION);
  return sentence.slice(0, end) + sentence.slice(end).replace(DECORATION, '');
}

const LONGEST_DECORATION = 40;
const DECORATION =
  /(?:\s*[([]?\by(?:es)?\s?\/\s?no?\b[)\]]?[.:]?)?(?:\p{Extended_Pictographic}|\ufe0f|\u200d|[)'"\s])*$/u;
