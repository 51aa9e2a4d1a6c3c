import type { SessionPayload } from '../../protocol/messages/session.ts';
import { type Case, type Sent, subjectOf } from './case.ts';
import { compose } from './compose.ts';
import { type Decision, decide } from './decide.ts';
import { firstOf } from './first-of.ts';
import type { NtfyOutcome } from './ntfy-client.ts';
import { observe } from './observe.ts';
import type { Item } from './outbox.ts';
import { Phone } from './phone.ts';
import type { Records } from './records.ts';
import { type NotifySettings, type Rules, rulesOf } from './rules.ts';
import { Tellings } from './tellings.ts';

export interface DeskOptions {
  readonly settings: NotifySettings;
  readonly records: Records;
  /** An agent's name by its slug. */
  readonly nameOf: (provider: string) => string;
  /** Last input in the terminal of a session, at the latest [unix ms]. */
  readonly lastInput: (provider: string, key: string) => number | undefined;
  /** From 0 to below 1. */
  readonly random: () => number;
}

const LAST_SENT = 'last_sent ';

/** Where sessions become messages: what is told, and when. It has no clock and does nothing by itself; times are unix ms. */
export class Desk {
  readonly #options: DeskOptions;
  readonly #records: Records;
  readonly #rules: Rules;
  readonly #tellings: Tellings;
  readonly #phone: Phone;
  #fresh: boolean;

  constructor(options: DeskOptions) {
    const { records, settings } = options;
    this.#options = options;
    this.#records = records;
    this.#rules = rulesOf(settings);
    this.#tellings = new Tellings(options);
    this.#phone = new Phone({ ...options, tellings: this.#tellings });
    this.#fresh = records.fresh;
  }

  /** Sessions that are known, or were in a former run, as `provider key`. */
  known(): string[] {
    return [...new Set([...this.#tellings.sessions.keys(), ...this.#records.cases.keys()])];
  }

  /** What was there at the start is in: whatever comes from now on is news. */
  begun(): void {
    this.#fresh = false;
  }

  /** A session has changed, or is no more. @param live false: it was retained */
  session(id: string, session: SessionPayload | undefined, live: boolean, now: number): void {
    const { settings } = this.#options;
    const { sessions } = this.#tellings;
    if (session === undefined) sessions.delete(id);
    else sessions.set(id, session);
    const known = this.#records.cases.get(id);
    const { next, effects } = observe(known, session, {
      now,
      live,
      fresh: this.#fresh,
      isTold: (attention) => this.#records.isSeen(id, attention),
      wants: (subject) => settings.on.includes(subject === 'wait' ? 'needs_user' : subject),
      delay: settings.delay * 1000,
    });
    const about =
      next === undefined || session === undefined ? undefined : this.#about(next, session).subject;
    const kept =
      next === undefined || about === next.about ? next : { ...next, ...(about !== undefined && { about }) };
    for (const effect of effects) {
      if (effect.do === 'withdraw' && known !== undefined) this.#phone.withdraw(known, effect.why, now);
      else this.#records.decided(kept ?? known, id, 'suppressed', effect.why, now);
    }
    this.#records.setCase(id, kept);
    if (kept !== undefined && session?.lamp === 'paused') this.#phone.recall(kept, now);
  }

  /** Sends, holds or drops what is due. */
  work(now: number): void {
    if (this.#phone.expire(now)) this.#turn(now);
    this.#phone.lead(now);
    for (const { session } of this.#due(now)) {
      // One that was told together with another is due no more.
      const known = this.#records.cases.get(session);
      if (known?.plan !== undefined) this.#deal(known, now);
    }
    this.#phone.escalate(now);
  }

  /** When `work` is to be called again; undefined: when something changes. */
  nextLook(): number | undefined {
    const times = [this.#records.outbox.nextExpiry(), this.#phone.nextEscalation()];
    for (const { plan } of this.#records.cases.values()) times.push(plan?.due);
    return firstOf(times);
  }

  /** What came of an attempt of the outbox. */
  settled(item: Item, outcome: NtfyOutcome, now: number): void {
    if (this.#phone.settled(item, outcome, now)) this.#turn(now);
  }

  /** The clock was set, or the machine slept: nothing is older for it. @param by ms */
  shift(by: number): void {
    this.#records.outbox.shift(by);
    for (const each of [...this.#records.cases.values()]) {
      const { plan, sent } = each;
      // Quiet hours end by the clock as it is.
      const due = plan?.due === undefined || plan.held === 'quiet_hours' ? plan?.due : plan.due + by;
      this.#records.setCase(each.session, {
        ...each,
        ...(plan !== undefined && { plan: { ...plan, at: plan.at + by, due } }),
        ...(sent !== undefined && { sent: moved(sent, by) }),
      });
    }
  }

  /** The next one's turn has come: what has waited for it is looked at again. */
  #turn(now: number): void {
    for (const each of [...this.#records.cases.values()])
      if (each.plan?.held === 'outbox')
        this.#records.setCase(each.session, { ...each, plan: { ...each.plan, due: now } });
  }

  #due(now: number): Case[] {
    return [...this.#records.cases.values()]
      .filter(({ plan }) => plan?.due !== undefined && plan.due <= now)
      .sort((a, b) => (a.plan?.at ?? 0) - (b.plan?.at ?? 0));
  }

  #deal(known: Case, now: number): void {
    const { plan, ...rest } = known;
    const session = this.#tellings.sessions.get(known.session);
    if (plan === undefined) return;
    if (session === undefined) {
      // Of a former run, and not heard of since: it may be gone.
      this.#records.setCase(known.session, { ...known, plan: { ...plan, due: undefined } });
      return;
    }
    const decision = this.#decide(known, session, now);
    if (decision.do === 'send') {
      this.#send(known, session, decision, now);
    } else if (decision.do === 'drop') {
      this.#records.setCase(known.session, rest);
      this.#records.decided(known, known.session, 'suppressed', decision.why, now);
    } else {
      const { why, until } = decision;
      if (plan.held !== why)
        this.#records.decided(known, known.session, 'held', why, now, until === undefined ? {} : { until });
      this.#records.setCase(known.session, { ...known, plan: { at: plan.at, due: until, held: why } });
    }
  }

  /** @param alone whether other messages of its provider are in its way */
  #decide(known: Case, session: SessionPayload, now: number, alone = true): Decision {
    const { settings, lastInput } = this.#options;
    const { provider, key } = session;
    const lastSent = this.#records.meta.get(LAST_SENT + provider);
    return decide(known, session, {
      now,
      settings,
      rules: this.#rules,
      lastInput: settings.presence === 0 ? undefined : lastInput(provider, key),
      lastSent: alone && lastSent !== undefined ? Number(lastSent) : undefined,
      isBusy: alone && this.#records.outbox.isBusy(provider),
    });
  }

  #send(
    known: Case,
    session: SessionPayload,
    { ruled, about }: Decision & { do: 'send' },
    now: number,
  ): void {
    const { topic, priority } = ruled;
    const others = this.#together(known, session, topic, now);
    // It is the next one after another (spec: consumers, section 2 "Storm").
    const isNext = known.plan?.held === 'storm' || known.plan?.held === 'outbox';
    const envelope = this.#tellings.envelope(topic, known.session, priority);
    const { sequence } = envelope;
    this.#records.outbox.put({
      what: 'message',
      topic,
      sequence,
      sessions: [known, ...others].map((each) => each.session),
      message: compose(this.#tellings.of(session, about, others, isNext || others.length > 0), envelope),
      at: now,
    });
    this.#records.setMeta(LAST_SENT + session.provider, String(now));
    for (const each of [known, ...others]) {
      const { plan: _, ...rest } = each;
      this.#records.setCase(each.session, { ...rest, sent: { topic, sequence, at: now } });
      this.#records.see(each.session, each.ids, now);
    }
  }

  /** Those that would be sent now too, were it not for the first: it tells of them (spec: consumers, section 2 "Storm"). */
  #together(known: Case, { provider }: SessionPayload, topic: string, now: number): Case[] {
    if (known.subject !== 'wait') return [];
    return [...this.#records.cases.values()].filter((each) => {
      const session = this.#tellings.sessions.get(each.session);
      const { plan } = each;
      if (each === known || each.subject !== 'wait' || plan === undefined) return false;
      if (session?.provider !== provider || (plan.held === 'delay' && (plan.due ?? 0) > now)) return false;
      const decision = this.#decide(each, session, now, false);
      return decision.do === 'send' && decision.ruled.topic === topic;
    });
  }

  #about(known: Case, session: SessionPayload) {
    return subjectOf(session, known.subject, (kind) => this.#options.settings.priorities[kind]);
  }
}

function moved(sent: Sent, by: number): Sent {
  const { escalates } = sent;
  return {
    ...sent,
    at: sent.at + by,
    // What lies at the server keeps to the server's clock.
    ...(escalates?.by === 'us' && { escalates: { ...escalates, at: escalates.at + by } }),
  };
}
