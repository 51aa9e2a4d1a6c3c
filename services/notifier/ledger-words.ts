import { faultWords } from './fault-words.ts';
import type { Entry, Reason } from './ledger.ts';
import type { NtfyFault } from './ntfy-client.ts';

const WHY: Readonly<Record<Exclude<Reason, NtfyFault>, string>> = {
  '': '',
  answered: 'it was over before',
  acknowledged: 'you know of it',
  gone: 'the session is gone',
  no_alert: 'it gave no alert: over before it had settled, or paused',
  before_start: 'it was there when messages were switched on, or found at the start',
  told_before: 'the same request was told before',
  old: 'it is old news',
  rule: 'a rule of yours leaves it out',
  priority: 'its kind has priority 0',
  not_wanted: '"notify.on" leaves it out',
  snoozed: 'you have snoozed it',
  paused: 'it is paused',
  quiet_hours: 'it is quiet hours',
  presence: 'its terminal had input just now',
  storm: 'another message of this agent went out just now',
  delay: '"notify.delay" is not over yet',
  outbox: 'another message of this agent is on its way',
  together: 'with others of this agent, in one message',
  too_old: 'the server could not be reached in time',
};

/** A decision as a sentence for people. */
export function ledgerWords(entry: Entry): string {
  const { outcome, priority } = entry;
  const why = whyWords(entry);
  switch (outcome) {
    case 'sent':
      return `Sent with priority ${priority ?? 0}${why === '' ? '' : ` ${why}`}.`;
    case 'escalated':
      return 'A second message is set, for when nobody has answered.';
    case 'cleared':
      return 'Taken off the phone.';
    case 'held':
      return `Held back: ${why}.`;
    case 'suppressed':
      return `Not sent: ${why}.`;
    case 'failed':
      return `Failed: ${why}.`;
  }
}

function whyWords({ why, status, code }: Entry): string {
  if (why in WHY) return WHY[why as keyof typeof WHY];
  const numbers = { ...(status !== undefined && { status }), ...(code !== undefined && { code }) };
  return `the server: ${faultWords({ ok: false, fault: why as NtfyFault, retry: false, ...numbers }).what}`;
}
