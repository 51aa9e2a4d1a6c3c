import { PHRASES, type Phrases } from './question-phrases.ts';
import { type ProseLine, proseTail, sentencesOf } from './question-text.ts';

/**
 * Whether a turn's last message asks the user something (spec: state, section 7): its last sentences ask directly, offer numbered or lettered
 * choices, or hold a request phrase. English first; German, French, Spanish, Chinese and Japanese by phrase. Conservative: questions inside a
 * longer report, code, quotations, addresses and headings don't count. Looks at the last 4,000 characters only; linear in the message's length.
 */
export function looksLikeQuestion(message: string): boolean {
  const lines = proseTail(message);
  return offersChoices(lines) || lastSentencesAsk(lines);
}

/** How many sentences from the end may ask. */
const LAST_SENTENCES = 3;
/** How many lines may follow a list of choices ("I'd take the first."). */
const AFTER_CHOICES = 1;

function lastSentencesAsk(lines: readonly ProseLine[]): boolean {
  const last = lines.at(-1);
  if (last === undefined) return false;
  const sentences = lines
    .slice(-LAST_SENTENCES)
    .flatMap((line) => sentencesOf(line.text))
    .filter((sentence) => !THANKS.test(sentence))
    .slice(-LAST_SENTENCES);
  if (sentences.some(asksUser)) return true;
  const final = sentences.at(-1);
  if (final === undefined || !ASKING.test(final) || RHETORICAL.test(final)) return false;
  // A list's entry may be a heading in question form: it counts when it speaks to somebody or the list is called one of questions.
  return last.kind === 'text' || PERSON.test(final) || QUESTIONS_AHEAD.test(introduction(lines));
}

/** Two or more entries at the end, and in front of them a line that asks, or calls numbered or lettered ones choices. */
function offersChoices(lines: readonly ProseLine[]): boolean {
  const end = lines.findLastIndex((line) => line.kind !== 'text');
  if (end < 1 || end < lines.length - 1 - AFTER_CHOICES) return false;
  const list = lines.slice(lines.slice(0, end).findLastIndex((line) => line.kind === 'text') + 1, end + 1);
  const ahead = sentencesOf(introduction(lines)).at(-1);
  if (list.length < 2 || ahead === undefined) return false;
  if (asksUser(ahead)) return true;
  return list.every((line) => line.kind === 'choice') && matchers().choicesAhead.test(ahead);
}

/** The line in front of the last list; empty when there is none. */
function introduction(lines: readonly ProseLine[]): string {
  const end = lines.findLastIndex((line) => line.kind !== 'text');
  return lines.slice(0, end + 1).findLast((line) => line.kind === 'text')?.text ?? '';
}

/** A sentence that speaks to the user by one of the phrases. */
function asksUser(sentence: string): boolean {
  const { opening, request, address, notice, courtesy } = matchers();
  if (opening.test(sentence) || request.test(sentence)) return true;
  if (ASKING.test(sentence) && address.test(sentence)) return true;
  return notice.test(sentence) && !courtesy.test(sentence);
}

interface Matchers {
  readonly opening: RegExp;
  readonly address: RegExp;
  readonly request: RegExp;
  readonly notice: RegExp;
  readonly courtesy: RegExp;
  /** "There are two options:", "To fix it, here are some ways forward:". */
  readonly choicesAhead: RegExp;
}

let built: Matchers | undefined;

/** Built when the first message is looked at: the sender loads this file for every event and reads a message at few. */
function matchers(): Matchers {
  built ??= build();
  return built;
}

function build(): Matchers {
  const all = (pick: (phrases: Phrases) => readonly string[]): string =>
    anyOf(Object.values(PHRASES).flatMap(pick));
  const openings = all((phrases) => phrases.openings);
  const leads = all((phrases) => phrases.choicesLead);
  const choices = all((phrases) => phrases.choices);
  const clause = '(?:[^,，]{0,60}[,，] ?)?';
  const purpose = '(?: (?:to|for|here|now|from here|forward|pour|para) ?[^:]{0,60})?';
  return {
    opening: new RegExp(`^[¿"'(]*(?:(?:${CONNECTIVES}),? )?${openings}`),
    address: new RegExp(`${openings}|${all((phrases) => phrases.questions)}`),
    request: new RegExp(all((phrases) => phrases.requests)),
    notice: new RegExp(all((phrases) => phrases.notices)),
    courtesy: new RegExp(all((phrases) => phrases.courtesies)),
    choicesAhead: new RegExp(`^${clause}(?:${leads} ?)*${choices}${purpose} ?[:：]$`),
  };
}

/** Any of the phrases; those in Latin letters only as whole words. */
function anyOf(phrases: readonly string[]): string {
  const latin = phrases.filter((phrase) => LATIN.test(phrase));
  const others = phrases.filter((phrase) => !LATIN.test(phrase));
  const words = `(?<![${LETTER}])(?:${latin.join('|')})(?![${LETTER}])`;
  return `(?:${[words, ...others].join('|')})`;
}

const LETTER = 'a-z0-9\\u00c0-\\u024f';
const LATIN = /^[ -\u024f]+$/;
const CONNECTIVES =
  'so|also|and|or|now|then|but|otherwise|alternatively|finally|ok|okay|if so|if not|und|oder|dann|et|ou|alors|y|o|entonces';
const QUESTIONS_AHEAD = /questions?|fragen|preguntas|问题|質問/;
const PERSON = /\b(?:you|your|i|we|me|du|sie|ich|wir|vous|tu|je|nous)\b|您|你|我/;

/** Ends as a question. Chinese and Japanese may end one with a word instead of a mark. */
const ASKING = /[?？]$|[吗呢か]。?$/;
const THANKS = /^(?:thanks|thank you|cheers|danke|vielen dank|merci|gracias|谢谢|ありがとう)/;
/** Asks nothing: an exclamation, or the polite end of finished work. */
const RHETORICAL =
  /^(?:who knew|why not|what could (?:possibly )?go wrong|so what|isn't (?:that|it)\b.*|(?:pretty )?(?:neat|nice|cool|great),? (?:right|huh|eh)|right)\?$|anything else|any (?:other |more |further )?questions/;
