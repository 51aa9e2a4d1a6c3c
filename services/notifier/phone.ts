import { type Case, type Sent, subjectOf, type Why } from './case.ts';
import { composeEscalation, ESCALATED } from './compose.ts';
import type { Entry } from './ledger.ts';
import type { NtfyOutcome } from './ntfy-client.ts';
import type { Item } from './outbox.ts';
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

  /** Takes back what is planned and what is on the phone; a message that tells of several goes with the last of them. */
  withdraw(known: Case, why: Why, now: number): void {
    const { session, sent, plan } = known;
    if (plan !== undefined) this.#records.decided(known, session, 'suppressed', why, now);
    if (sent === undefined || this.#isShared(session, sent)) return;
    const { topic, sequence, escalates } = sent;
    this.#records.outbox.clear(
      { what: 'clear', topic, sequence, sessions: [session], cancels: escalates?.by === 'server', at: now },
      this.#records.meta.get(CAN_CLEAR) !== 'false',
    );
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

  /** Sends what calls a second time and does not lie at the server: an old one could not be told that it has become needless. */
  escalate(now: number): void {
    for (const known of [...this.#records.cases.values()]) {
      const { sent } = known;
      if (sent?.escalates?.by !== 'us' || sent.escalates.at > now) continue;
      const { escalates: _, ...rest } = sent;
      this.#records.setCase(known.session, { ...known, sent: rest });
      this.#putEscalation(known, undefined, now);
    }
  }

  #isShared(session: string, { topic, sequence }: Sent): boolean {
    return [...this.#records.cases.values()].some(
      (each) => each.session !== session && each.sent?.sequence === sequence && each.sent.topic === topic,
    );
  }

  #delivered(item: Item, replaces: boolean, now: number): void {
    this.#records.setMeta(CAN_CLEAR, String(replaces));
    const priority = item.message?.priority ?? 0;
    const outcome = item.what === 'escalation' ? 'escalated' : 'sent';
    for (const [index, session] of item.sessions.entries()) {
      const known = this.#records.cases.get(session);
      this.#records.decided(known, session, outcome, index === 0 ? '' : 'together', now, { priority });
    }
    const known = this.#records.cases.get(item.sessions[0] ?? '');
    if (item.what === 'message' && known?.sent?.sequence === item.sequence)
      this.#planEscalation(known, replaces, now);
  }

  #planEscalation(known: Case, replaces: boolean, now: number): void {
    const { escalate_after, quiet_hours } = this.#options.settings;
    const { session, sent } = known;
    if (escalate_after === 0 || known.subject !== 'wait' || sent === undefined) return;
    const at = Math.max(now, sent.at + escalate_after * MINUTE);
    if (quietUntil(quiet_hours, ESCALATED, at) !== undefined)
      return this.#records.decided(known, session, 'suppressed', 'quiet_hours', now);
    const by = replaces ? 'server' : 'us';
    this.#records.setCase(session, { ...known, sent: { ...sent, escalates: { by, at } } });
    if (replaces) this.#putEscalation(known, at, now);
  }

  #putEscalation(known: Case, deliverAt: number | undefined, now: number): void {
    const { settings, tellings } = this.#options;
    const { sent } = known;
    const session = tellings.sessions.get(known.session);
    if (session === undefined || sent === undefined) return;
    const about = subjectOf(session, 'wait', (kind) => settings.priorities[kind]);
    const envelope = { ...tellings.envelope(sent.topic, known.session, ESCALATED), sequence: sent.sequence };
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

  /** Nothing of it came to the phone, so there is nothing to take away. */
  #gaveUp(item: Item, { why, ...numbers }: Pick<Entry, 'why' | 'status' | 'code'>, now: number): void {
    for (const session of item.sessions) {
      const known = this.#records.cases.get(session);
      this.#records.decided(known, session, 'failed', why, now, numbers);
      if (item.what !== 'message' || known?.sent?.sequence !== item.sequence) continue;
      const { sent: _, ...rest } = known;
      this.#records.setCase(session, rest);
    }
  }
}
