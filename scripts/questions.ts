import { readCorpus } from '../test/questions/corpus.ts';
import { type QuestionScore, scoreQuestions } from '../test/questions/measure.ts';

// How well the question at the end of a message is found, on the labelled corpus: `npm run questions`; with `-- --wrong` the messages that are told wrongly.

const messages = readCorpus();
const languages = [...new Set(messages.map(({ language }) => language))];

console.log('language  messages  precision  recall');
for (const language of languages) {
  print(language, scoreQuestions(messages.filter((message) => message.language === language)));
}
const all = scoreQuestions(messages);
print('all', all);

if (process.argv.includes('--wrong')) {
  for (const { language, line, asks, text } of all.wrong) {
    console.log(
      `\n${language}.txt:${line} ${asks ? 'asks, and was missed' : 'tells, and was taken for a question'}\n${text}`,
    );
  }
}

function print(name: string, { messages: count, precision, recall }: QuestionScore): void {
  console.log(
    `${name.padEnd(8)}  ${String(count).padStart(8)}  ${percent(precision).padStart(9)}  ${percent(recall).padStart(6)}`,
  );
}

function percent(value: number): string {
  return `${(100 * value).toFixed(1)} %`;
}
