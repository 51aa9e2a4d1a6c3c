/** The last part of the sender's path, whatever version put it there and wherever its folder was. */
const SENDER = /(?:^|[\\/'"])signalbox-hook(?:\.c?js)?(?=$|['"\s])/;

/** Does a word, or a line for a shell, call our sender? */
export function isSenderPath(word: unknown): boolean {
  return typeof word === 'string' && SENDER.test(word);
}
