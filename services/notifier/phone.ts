import { type Case, sequenceOf, subjectOf, type Why } from './case.ts';
import { compose, composeEscalation, ESCALATED } from './compose.ts';
import { firstOf } from './first-of.ts';
import type { Entry } from './ledger.ts';
import type { NtfyOutcome } from './ntfy-client.ts';
import type { Item } from './outbox.ts';
import { leads, sharers, type Told } from './places.ts';
import { quietUntil } from './quiet-hours.ts';
import type { Records } from './records.ts';
import type { NotifySettings } from './rules.ts';
import type { Tellings } from './tellings.ts';

export interface PhoneOptions {
  readonly settings: NotifySettings;
  readonly records: Records;
  readonly tellings: Tellings;
  /** From 0 to below 1. */
  readonly random: () => number;
}

const MINUTE = 60_000;
/** Of what takes the place of a message that has been heard already: silent on the phone. */
const QUIET = 2;
/** Whether the server knows sequence ids: without them nothing can be taken back. */
const CAN_CLEAR = 'can_clear';

/** What is on the phone, or lies at the server for later: taken back when it is over, told once more when it is not. Times are unix ms. */
export class Phone {
  readonly #options: PhoneOptions;
  readonly #records: Records;

  constructor(options: PhoneOptions) {
    this.#options = options;
    this.#records = options.records;
  }

  /** Takes back what is planned and what is on the phone. A message that tells of several goes with the one that it names, see `lead`, or with the last. */
  withdraw(known: Case, why: Why, now: number): void {
    const { session, sent, plan } = known;
    if (plan !== undefined) this.#records.decided(known, session, 'suppressed', why, now);
    if (sent === undefined) return;
    const others = sharers(this.#records.cases, sent).filter((each) => each.session !== session);
    const isOnItsWay = this.#records.outbox.isTelling(sent);
    if (others.length > 0 && !isOnItsWay && !leads(known)) return;
    this.#clear({ ...known, sent }, now);
    if (isOnItsWay) for (const each of others) this.#planAgain(each, now);
  }

  /** Holds a message that has not been delivered yet: all that it tells of is decided anew. */
  recall({ session, sent }: Case, now: number): void {
    if (sent === undefined || !this.#records.outbox.isTelling(sent)) return;
    const told = sharers(this.#records.cases, sent);
    for (const each of told) {
      if (each.session === session) this.#clear(each, now);
      this.#planAgain(each, now);
    }
  }

  /** Where the one that a message names has ended, and others that it tells of have not, the next of them is named instead, in its own place. */
  lead(now: number): void {
    const { cases } = this.#records;
    for (const session of [...cases.keys()]) {
      const known = cases.get(session);
      // Of a former run, and not heard of since: it may be gone.
      if (known?.sent === undefined || leads(known) || !this.#options.tellings.sessions.has(session))
        continue;
      const { sent } = known;
      if (!sharers(cases, sent).some(leads)) this.#handOver({ ...known, sent }, now);
    }
  }

  /** What came of an attempt. @returns whether the outbox is done with it */
  settled(item: Item, outcome: NtfyOutcome, now: number): boolean {
    const fate = this.#records.outbox.settled(outcome, now, this.#options.random);
    if (fate === 'again') return false;
    if (item.what === 'clear') this.#cleared(item, outcome, now);
    else if (outcome.ok) this.#delivered(item, outcome.replaces, now);
    else {
      const { fault: why, status, code } = outcome;
      const numbers = { ...(status !== undefined && { status }), ...(code !== undefined && { code }) };
      this.#gaveUp(item, { why, ...numbers }, now);
    }
    return true;
  }

  /** Gives up what is too old. @returns whether there was any */
  expire(now: number): boolean {
    const old = this.#records.outbox.expire(now);
    for (const item of old) this.#gaveUp(item, { why: 'too_old' }, now);
    return old.length > 0;
  }

  /** When `escalate` is worth while. */
  nextEscalation(): number | undefined {
    return firstOf(this.#escalating().map(({ sent }) => sent.escalates?.at));
  }

  /** Sends what calls a second time and does not lie at the server: an old one could not be told that it has become needless. */
  escalate(now: number): void {
    for (const known of this.#escalating()) {
      if ((known.sent.escalates?.at ?? 0) > now) continue;
      for (const each of sharers(this.#records.cases, known.sent)) {
        const { escalates: _, ...sent } = each.sent;
        this.#records.setCase(each.session, { ...each, sent });
      }
      this.#putEscalation(known, undefined, now);
    }
  }

  /** Those for which a second message goes from here: the one that is named, once it has been heard of. */
  #escalating(): Told[] {
    return [...this.#records.cases.values()].filter(
      (each): each is Told =>
        each.sent?.escalates?.by === 'us' && leads(each) && this.#options.tellings.sessions.has(each.session),
    );
  }

  #canClear(): boolean {
    return this.#records.meta.get(CAN_CLEAR) !== 'false';
  }

  #clear({ session, sent }: Told, now: number): void {
    const { topic, sequence, escalates } = sent;
    const cancels = escalates?.by === 'server';
    this.#records.outbox.clear(
      { what: 'clear', topic, sequence, sessions: [session], cancels, at: now },
      this.#canClear(),
    );
  }

  #planAgain({ sent, ...rest }: Told, now: number): void {
    this.#records.setCase(rest.session, { ...rest, plan: { at: sent.at, due: now, held: 'outbox' } });
  }

  #handOver(next: Told, now: number): void {
    const { settings, tellings } = this.#options;
    const { topic } = next.sent;
    const sequence = sequenceOf(next.session);
    const told = sharers(this.#records.cases, next.sent);
    for (const each of told)
      this.#records.setCase(each.session, { ...each, sent: { ...each.sent, sequence } });
    const session = tellings.sessions.get(next.session);
    // Without sequence ids it would be one more message.
    if (session === undefined || !this.#canClear()) return;
    const others = told.filter((each) => each.session !== next.session);
    const about = subjectOf(session, next.subject, (kind) => settings.priorities[kind]);
    this.#records.outbox.put({
      what: 'update',
      topic,
      sequence,
      sessions: [next, ...others].map((each) => each.session),
      message: compose(tellings.of(session, about, others), tellings.envelope(topic, next.session, QUIET)),
      at: now,
    });
  }

  #delivered(item: Item, replaces: boolean, now: number): void {
    this.#records.setMeta(CAN_CLEAR, String(replaces));
    const priority = item.message?.priority ?? 0;
    const outcome = item.what === 'escalation' ? 'escalated' : 'sent';
    // An update tells nobody anything new.
    for (const [index, session] of (item.what === 'update' ? [] : item.sessions).entries()) {
      const known = this.#records.cases.get(session);
      this.#records.decided(known, session, outcome, index === 0 ? '' : 'together', now, { priority });
    }
    const known = this.#records.cases.get(item.sessions[0] ?? '');
    if (item.what !== 'escalation' && known?.sent?.sequence === item.sequence)
      this.#planEscalation({ ...known, sent: known.sent }, item, replaces, now);
  }

  #planEscalation(known: Told, { what }: Item, replaces: boolean, now: number): void {
    const { escalate_after, quiet_hours } = this.#options.settings;
    const { session, sent } = known;
    if (escalate_after === 0 || known.subject !== 'wait') return;
    const wanted = sent.at + escalate_after * MINUTE;
    // Those that an update tells of have been called a second time by then.
    if (what === 'update' && wanted <= now) return;
    const at = Math.max(now, wanted);
    if (quietUntil(quiet_hours, ESCALATED, at) !== undefined)
      return this.#records.decided(known, session, 'suppressed', 'quiet_hours', now);
    const by = replaces ? 'server' : 'us';
    for (const each of sharers(this.#records.cases, sent))
      this.#records.setCase(each.session, { ...each, sent: { ...each.sent, escalates: { by, at } } });
    if (replaces) this.#putEscalation(known, at, now);
  }

  #putEscalation(known: Told, deliverAt: number | undefined, now: number): void {
    const { settings, tellings } = this.#options;
    const { sent } = known;
    const session = tellings.sessions.get(known.session);
    if (session === undefined) return;
    const about = subjectOf(session, 'wait', (kind) => settings.priorities[kind]);
    const envelope = tellings.envelope(sent.topic, known.session, ESCALATED);
    const minutes = Math.round(settings.escalate_after);
    this.#records.outbox.put({
      what: 'escalation',
      topic: sent.topic,
      sequence: sent.sequence,
      sessions: [known.session],
      message: composeEscalation(tellings.of(session, about, []), envelope, minutes),
      ...(deliverAt !== undefined && { deliver_at: deliverAt }),
      shows: true,
      at: now,
    });
  }

  #cleared({ sessions }: Item, outcome: NtfyOutcome, now: number): void {
    if (!outcome.ok && outcome.fault === 'not_supported') this.#records.setMeta(CAN_CLEAR, 'false');
    const [session = ''] = sessions;
    const known = this.#records.cases.get(session);
    if (outcome.ok) this.#records.decided(known, session, 'cleared', '', now);
    else this.#records.decided(known, session, 'failed', outcome.fault, now);
  }

  /** What surely never came to the phone need not be taken away; an attempt of which nothing was heard may have come. */
  #gaveUp(item: Item, { why, ...numbers }: Pick<Entry, 'why' | 'status' | 'code'>, now: number): void {
    for (const session of item.sessions) {
      const known = this.#records.cases.get(session);
      this.#records.decided(known, session, 'failed', why, now, numbers);
      if (item.what !== 'message' || item.shows === true) continue;
      if (known?.sent?.sequence !== item.sequence) continue;
      const { sent: _, ...rest } = known;
      this.#records.setCase(session, rest);
    }
  }
}
