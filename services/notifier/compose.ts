import { fitText } from '../../protocol/fit-text.ts';
import type { NtfyMessage } from './ntfy-client.ts';
import { type Language, type Subject, WORDS } from './words.ts';

/** ntfy makes a file of a message of 4096 bytes: its reader stops when the limit is reached, not passed. */
const LONGEST_TEXT = 4095;
/** A notification shows less of it. */
const LONGEST_TITLE = 250;
/** How many other projects are named. */
const NAMED = 3;
/** Second messages call (spec: consumers, section 2). */
export const ESCALATED = 5;

/** What a message tells. Nothing of it is a prompt, code, or what a tool was given. */
export interface Telling {
  /** The agent's name, e.g. `Codex`. */
  readonly agent: string;
  readonly provider: string;
  readonly project: string;
  readonly subject: Subject;
  readonly tool?: string;
  /** The reason of a failure, one word. */
  readonly reason: string;
  /** Projects of the others that wait and are told of together with this one. */
  readonly others: readonly string[];
  /** How many sessions of the provider wait in all; left out where it is not told. */
  readonly count?: number;
}

export interface Envelope {
  readonly topic: string;
  readonly sequence: string;
  readonly priority: number;
  readonly language: Language;
  /** Empty: none. */
  readonly click: string;
}

/** Names that ntfy shows as emoji (its `emojis.json`). */
const TAGS: Readonly<Record<Subject, string>> = {
  permission: 'raised_hand',
  question: 'question',
  plan_approval: 'raised_hand',
  elicitation: 'raised_hand',
  notification: 'bell',
  possible_question: 'question',
  account: 'warning',
  dialog: 'bell',
  error: 'x',
  done: 'white_check_mark',
};

/** The message of a wait, a failure or an end. */
export function compose(telling: Telling, envelope: Envelope): NtfyMessage {
  const words = WORDS[envelope.language];
  const { agent, project, subject, others, count = 1 } = telling;
  const title = subject === 'error' ? words.failed : subject === 'done' ? words.done : words.waiting;
  const lines = [lineOf(telling, envelope.language)];
  if (count > 1) {
    const named = others.slice(0, NAMED).join(', ');
    lines.push(words.allWaiting(count, others.length > NAMED ? `${named}, …` : named));
  }
  return fitted(title(agent, project), lines, [TAGS[subject], telling.provider], envelope);
}

/** The second message of a wait that nobody has answered. @param minutes since the first */
export function composeEscalation(telling: Telling, envelope: Envelope, minutes: number): NtfyMessage {
  const words = WORDS[envelope.language];
  const lines = [lineOf(telling, envelope.language), words.sinceMinutes(minutes)];
  const title = words.stillWaiting(telling.agent, telling.project);
  return fitted(title, lines, ['rotating_light', telling.provider], { ...envelope, priority: ESCALATED });
}

function lineOf({ subject, tool, reason }: Telling, language: Language): string {
  const words = WORDS[language];
  const what = words.subject[subject];
  const detail = tool ?? (subject === 'error' || subject === 'account' ? reason : '');
  return detail === '' ? what : words.withTool(what, detail);
}

function fitted(
  title: string,
  lines: readonly string[],
  tags: readonly string[],
  { topic, sequence, priority, click }: Envelope,
): NtfyMessage {
  return {
    topic,
    title: fitText(title, LONGEST_TITLE),
    message: fitText(lines.join('\n'), LONGEST_TEXT),
    priority,
    tags,
    sequence_id: sequence,
    ...(click !== '' && { click }),
  };
}
