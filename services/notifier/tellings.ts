import type { SessionPayload } from '../../protocol/messages/session.ts';
import type { Envelope, Telling } from './compose.ts';
import { type Case, sequenceOf } from './case.ts';
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

  /** @param together those that are told of together with it @param counts tell how many wait, whoever they are */
  of(
    session: SessionPayload,
    about: Pick<Telling, 'subject' | 'tool'>,
    together: readonly Case[],
    counts = together.length > 0,
  ): Telling {
    const { provider, project, reason } = session;
    const others = together.map((each) => this.sessions.get(each.session)?.project ?? '');
    const waiting = [...this.sessions.values()].filter(
      (each) => each.provider === provider && each.state === 'needs_user',
    );
    const agent = this.#options.nameOf(provider);
    return { ...about, agent, provider, project, reason, others, ...(counts && { count: waiting.length }) };
  }

  /** @param session `provider key` */
  envelope(topic: string, session: string, priority: number): Envelope {
    const { language, click } = this.#options.settings;
    return { topic, sequence: sequenceOf(session), priority, language, click };
  }
}
