import type { AttentionKind } from '../../protocol/states.ts';

export type Language = 'en' | 'de';

/** What a message tells of. */
export type Subject = AttentionKind | 'error' | 'done';

/** The texts of one language. Names come from outside and are put in as they are: JSON carries them, and ntfy shows plain text. */
export interface Words {
  /** Titles. @param agent e.g. `Codex` */
  readonly waiting: (agent: string, project: string) => string;
  readonly stillWaiting: (agent: string, project: string) => string;
  readonly failed: (agent: string, project: string) => string;
  readonly done: (agent: string, project: string) => string;
  readonly subject: Readonly<Record<Subject, string>>;
  /** @param tool e.g. `Bash` */
  readonly withTool: (what: string, tool: string) => string;
  /** @param count how many wait in all @param projects of the others, some of them, or empty */
  readonly allWaiting: (count: number, projects: string) => string;
  readonly sinceMinutes: (minutes: number) => string;
  readonly testTitle: string;
  readonly testText: string;
}

export const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    waiting: (agent, project) => `${agent} waiting: ${project}`,
    stillWaiting: (agent, project) => `${agent} still waiting: ${project}`,
    failed: (agent, project) => `${agent} failed: ${project}`,
    done: (agent, project) => `${agent} done: ${project}`,
    subject: {
      permission: 'Asks for a permission',
      question: 'Asks a question',
      plan_approval: 'Has a plan to approve',
      elicitation: 'A tool asks for input',
      notification: 'Waits for you',
      possible_question: 'May have asked something',
      account: 'The account needs you',
      dialog: 'A dialog is open',
      error: 'The turn has failed',
      done: 'The turn is done',
    },
    withTool: (what, tool) => `${what}: ${tool}`,
    allWaiting: (count, projects) => `${count} wait in all${projects === '' ? '' : `, also: ${projects}`}`,
    sinceMinutes: (minutes) => `For ${minutes} min`,
    testTitle: 'Signalbox: test',
    testText: 'Messages arrive here when an agent waits for you.',
  },
  de: {
    waiting: (agent, project) => `${agent} wartet: ${project}`,
    stillWaiting: (agent, project) => `${agent} wartet noch: ${project}`,
    failed: (agent, project) => `${agent} gescheitert: ${project}`,
    done: (agent, project) => `${agent} fertig: ${project}`,
    subject: {
      permission: 'Bittet um eine Erlaubnis',
      question: 'Stellt eine Frage',
      plan_approval: 'Legt einen Plan zur Freigabe vor',
      elicitation: 'Ein Werkzeug bittet um eine Eingabe',
      notification: 'Wartet auf dich',
      possible_question: 'Hat vielleicht etwas gefragt',
      account: 'Das Konto braucht dich',
      dialog: 'Ein Dialog ist offen',
      error: 'Der Durchgang ist gescheitert',
      done: 'Der Durchgang ist fertig',
    },
    withTool: (what, tool) => `${what}: ${tool}`,
    allWaiting: (count, projects) =>
      `Insgesamt warten ${count}${projects === '' ? '' : `, auch: ${projects}`}`,
    sinceMinutes: (minutes) => `Seit ${minutes} min`,
    testTitle: 'Signalbox: Test',
    testText: 'Hier kommen Nachrichten an, wenn ein Agent auf dich wartet.',
  },
};
