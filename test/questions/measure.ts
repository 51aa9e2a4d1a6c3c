import { looksLikeQuestion } from '../../protocol/question.ts';
import type { LabelledMessage } from './corpus.ts';

/** How well questions are found among some messages. Shares are from 0 to 1. */
export interface QuestionScore {
  readonly messages: number;
  /** Of what was taken for a question: how much is one. */
  readonly precision: number;
  /** Of the questions: how many were found. */
  readonly recall: number;
  /** Those that were told wrongly. */
  readonly wrong: readonly LabelledMessage[];
}

export function scoreQuestions(messages: readonly LabelledMessage[]): QuestionScore {
  const found = messages.filter(({ text }) => looksLikeQuestion(text));
  const right = found.filter(({ asks }) => asks);
  const questions = messages.filter(({ asks }) => asks);
  return {
    messages: messages.length,
    precision: share(right.length, found.length),
    recall: share(right.length, questions.length),
    wrong: messages.filter(({ text, asks }) => looksLikeQuestion(text) !== asks),
  };
}

function share(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole;
}
