import { describe, expect, it } from 'vitest';
import { readCorpus } from '../../questions/corpus.ts';
import { scoreQuestions } from '../../questions/measure.ts';

const messages = readCorpus();
const languages = ['en', 'de', 'fr', 'es', 'zh', 'ja'];

// Spec: state, section 7. The floors lie just below what is reached: `npm run questions` prints it.
describe('questions in the labelled corpus', () => {
  it('has enough of each language, and of both kinds', () => {
    expect(messages.length).toBeGreaterThanOrEqual(400);
    for (const language of languages) {
      const own = messages.filter((message) => message.language === language);
      expect(own.filter(({ asks }) => asks).length).toBeGreaterThanOrEqual(15);
      expect(own.filter(({ asks }) => !asks).length).toBeGreaterThanOrEqual(15);
    }
  });

  it('takes little for a question that is none, and finds nearly all', () => {
    const { precision, recall } = scoreQuestions(messages);
    expect(precision).toBeGreaterThanOrEqual(0.985);
    expect(recall).toBeGreaterThanOrEqual(0.97);
  });

  it.each(languages)('%s: alone, too', (language) => {
    const { precision, recall } = scoreQuestions(messages.filter((message) => message.language === language));
    expect(precision).toBeGreaterThanOrEqual(0.95);
    expect(recall).toBeGreaterThanOrEqual(0.94);
  });
});
