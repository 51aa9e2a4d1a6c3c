import { SignalboxError } from '../../../protocol/errors.ts';
import type { HubHealthPayload } from '../../../protocol/messages/hub.ts';
import { configSchema } from '../../../runtime/config/schema.ts';
import { hostNameOf, isLoopback } from '../../../runtime/own-host.ts';
import { faultWords } from '../../../services/notifier/fault-words.ts';
import { createNtfyClient, type NtfyFault, type NtfyServer } from '../../../services/notifier/ntfy-client.ts';
import { ago } from '../../terminal/duration.ts';
import { broken, brokenBy, type Check, type Finding, ok, warning } from '../check.ts';
import type { Facts } from '../facts.ts';

/** Longest that the server may take to answer [ms]. */
const ANSWER_WITHIN = 3_000;

/** Whether messages reach the phone: switched on, reachable, what became of the last one, and who else can read them. */
export const ntfyCheck: Check = {
  name: 'ntfy',
  async run(facts) {
    const { notify } = facts.settings.config;
    if (!notify.enabled) return [ok('off: no messages to the phone ("notify.enabled")')];
    let server: NtfyServer;
    try {
      const { server: address, username } = notify;
      server = { server: address, username, ...facts.settings.notifySecrets() };
    } catch (error) {
      if (error instanceof SignalboxError) return [brokenBy(error)];
      throw error;
    }
    return [...topic(facts), ...credentials(server), ...(await reachable(server)), ...hub(facts)];
  },
};

function topic({ settings }: Facts): Finding[] {
  const shared = configSchema.parse({}).notify.topic;
  if (settings.config.notify.topic !== shared) return [];
  const message = `The topic is "${shared}", the default that everybody has: anybody can read your messages, and send you some.`;
  const mend = 'Set "notify.topic" to a name that nobody guesses, here and in the app.';
  return [warning('shared_topic', message, mend)];
}

function credentials({ server, token, username = '', password }: NtfyServer): Finding[] {
  const found: Finding[] = [];
  if (token === undefined && username !== '' && password === undefined) {
    const mend = 'Set "notify.password_file", or SIGNALBOX_NOTIFY_PASSWORD where the hub starts.';
    found.push(warning('no_password', `There is no password for the user ${username}.`, mend));
  }
  const { protocol, host } = new URL(server);
  const isHere = isLoopback(hostNameOf(host) ?? '');
  if (protocol === 'http:' && !isHere && (token ?? password) !== undefined) {
    const message = `The credentials go to ${server} unencrypted.`;
    found.push(warning('in_the_clear', message, 'Give "notify.server" as https://.'));
  }
  return found;
}

async function reachable(server: NtfyServer): Promise<Finding[]> {
  const client = createNtfyClient(server, ANSWER_WITHIN);
  try {
    const outcome = await client.health();
    if (outcome.ok) return [ok(`${server.server} answers`)];
    const { what, mend } = faultWords(outcome);
    return [broken('ntfy_unreachable', `The ntfy server ${server.server}: ${what}.`, mend, outcome)];
  } finally {
    await client.close();
  }
}

function hub({ hub: { kind }, bus, now }: Facts): Finding[] {
  const health = bus?.health;
  if (kind !== 'running' || health === undefined) return [];
  const { notifier } = health;
  if (notifier === undefined) {
    const message = 'The running hub sends no messages to the phone: it was started with other settings.';
    return [warning('notify_not_running', message, 'Stop the hub and start it again.')];
  }
  const found = [last(notifier, now)];
  if (notifier.waiting > 0) {
    const messages = notifier.waiting === 1 ? '1 message waits' : `${notifier.waiting} messages wait`;
    const mend = 'Nothing, if it goes on answering: they are tried again for ten minutes.';
    found.push(warning('ntfy_waiting', `${messages} to be taken by the server.`, mend));
  }
  if (notifier.problem !== undefined) {
    const message =
      'What the phone was told is kept nowhere: the database of the messages can not be written.';
    const mend = 'Look at the disk. Until then a restart of the hub may tell a wait twice.';
    found.push(warning(notifier.problem, message, mend));
  }
  return found;
}

function last(
  { last: told, sent, failed, waiting }: NonNullable<HubHealthPayload['notifier']>,
  now: number,
): Finding {
  const numbers = { sent, failed, waiting };
  if (told === undefined) return ok('no message yet', numbers);
  const when = ago(Math.max(0, Math.floor(now / 1000) - told.at));
  if (told.outcome === 'sent') return ok(`the last message was taken ${when}`, numbers);
  const { what, mend } = wordsOf(told.why);
  return warning('ntfy_failed', `The last message was not taken (${when}): ${what}.`, mend, numbers);
}

/** A newer hub may know more faults. */
function wordsOf(why: string): { what: string; mend: string } {
  if (why === 'too_old')
    return {
      what: 'the server could not be reached in time',
      mend: 'Check "notify.server" and the network.',
    };
  try {
    return faultWords({ ok: false, fault: why as NtfyFault, retry: false });
  } catch {
    return { what: why, mend: 'See docs/phone.md, "When nothing arrives".' };
  }
}
