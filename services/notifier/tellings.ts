import type { SessionPayload } from '../../protocol/messages/session.ts';
import type { Envelope, Telling } from './compose.ts';
import { sequenceOf } from './case.ts';
import type { NotifySettings } from './rules.ts';

export interface TellingOptions {
  readonly settings: NotifySettings;
  /** An agent's name by its slug. */
  readonly nameOf: (provider: string) => string;
}

/** The sessions as the bus has them, and what a message tells of one. */
export class Tellings {
  readonly sessions = new Map<string, SessionPayload>();
  readonly #options: TellingOptions;

  constructor(options: TellingOptions) {
    this.#options = options;
  }

  /** @param others projects of those that are told of together with it */
  of(session: SessionPayload, about: Pick<Telling, 'subject' | 'tool'>, others: readonly string[]): Telling {
    const { provider, project, reason } = session;
    const waiting = [...this.sessions.values()].filter(
      (each) => each.provider === provider && each.state === 'needs_user',
    );
    const agent = this.#options.nameOf(provider);
    return { ...about, agent, provider, project, reason, others, count: waiting.length };
  }

  /** @param session `provider key` */
  envelope(topic: string, session: string, priority: number): Envelope {
    const { language, click } = this.#options.settings;
    return { topic, sequence: sequenceOf(session), priority, language, click };
  }
}
