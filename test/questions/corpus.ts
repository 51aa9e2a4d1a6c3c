import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A final message of an agent, and whether it asks the user for something: a person has labelled it. */
export interface LabelledMessage {
  /** As in the file's name: `en`, `de`, ... */
  readonly language: string;
  /** Line of its label. */
  readonly line: number;
  readonly asks: boolean;
  readonly text: string;
}

const FOLDER = fileURLToPath(new URL('./corpus/', import.meta.url));
const LABELS: Readonly<Record<string, boolean>> = { '+ask': true, '+tell': false };

/**
 * The labelled corpus: one file a language; a line `+ask` or `+tell` goes before each message. A polite close ("let me know if anything fails") tells; an offer that waits for
 * a word ("let me know if I should go on") asks.
 */
export function readCorpus(): readonly LabelledMessage[] {
  return readdirSync(FOLDER)
    .sort()
    .flatMap((name) => read(name.replace(/\.txt$/, ''), readFileSync(FOLDER + name, 'utf8')));
}

function read(language: string, file: string): LabelledMessage[] {
  const messages: LabelledMessage[] = [];
  let lines: string[] = [];
  for (const [index, line] of file.split('\n').entries()) {
    const asks = LABELS[line];
    if (asks === undefined) {
      lines.push(line);
      continue;
    }
    lines = [];
    const body = lines;
    messages.push({
      language,
      line: index + 1,
      asks,
      get text() {
        return body.join('\n').trim();
      },
    });
  }
  return messages;
}
