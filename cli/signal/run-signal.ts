import { resolve } from 'node:path';
import { SignalboxError } from '../../protocol/errors.ts';
import { isSignalName, type SignalName } from '../../protocol/events.ts';
import { decodePayload } from '../../protocol/messages/codec.ts';
import type { RejectPayload } from '../../protocol/messages/hub.ts';
import type { Link } from '../../runtime/link.ts';
import { openBus } from '../bus.ts';
import type { CommandContext } from '../context.ts';
import type { SettingOptions } from '../options.ts';
import { loadSettings, providerNamed } from '../settings.ts';
import { signalList } from './signal-names.ts';

export interface SignalOptions extends SettingOptions {
  readonly provider?: string;
  readonly session?: string;
  readonly cwd?: string;
  readonly json?: true;
}

/** After that many round trips a refusal would have been heard; measured: one is now and then too early by a millisecond. */
const QUESTIONS = 4;
/** In a topic's place of a provider: every provider. */
const EVERY = 'all';

/**
 * `signalbox signal NAME`: publishes a raw signal and returns when the broker has acknowledged it, which the embedded one does when the hub has it on disk.
 * @throws SignalboxError `unknown_signal`, `unknown_provider`, `bad_usage`, `no_hub`, `not_delivered`, what the hub refused it for, those of the settings
 */
export async function runSignal(
  name: string,
  options: SignalOptions,
  context: CommandContext,
): Promise<void> {
  const signal = checked(name, options);
  const settings = loadSettings(context, options);
  const provider = options.provider === undefined ? EVERY : providerNamed(options.provider, settings);
  const payload = {
    signal,
    ...(options.session !== undefined && { session_id: options.session }),
    ...(options.cwd !== undefined && { cwd: resolve(context.cwd, options.cwd) }),
  };
  const bus = await openBus(settings, context);
  try {
    await bus.ready();
    const refused = await sendAndListen(bus.link, provider, payload);
    if (refused !== undefined) throw refused;
    if (options.json) context.stdout.write(`${JSON.stringify({ provider, ...payload })}\n`);
  } finally {
    await bus.link.close();
  }
}

function checked(name: string, { provider, session, cwd }: SignalOptions): SignalName {
  if (!isSignalName(name)) {
    throw new SignalboxError('unknown_signal', { signal: name.slice(0, 40), known: signalList() });
  }
  const owned = [session === undefined ? [] : ['--session'], cwd === undefined ? [] : ['--cwd']].flat()[0];
  if (owned !== undefined && provider === undefined) {
    throw new SignalboxError('bad_usage', {
      reason: `${owned} needs --provider: a session belongs to one agent.`,
      help: 'signalbox signal --help',
    });
  }
  return name;
}

/** Sends it; gives what the hub refuses it for, if it says so. */
async function sendAndListen(
  link: Link,
  provider: string,
  payload: object,
): Promise<SignalboxError | undefined> {
  let refusal: RejectPayload | undefined;
  await hearRefusals(link, (reject) => {
    if (reject.provider === provider) refusal = reject;
  });
  await Promise.race([link.publish('hook', { provider }, payload), closedByBroker(link)]);
  // The hub tells a refusal through its own connection, which takes it a few turns longer than the acknowledgement: so many questions it answers after that.
  for (let asked = 0; asked < QUESTIONS; asked += 1) {
    await hearRefusals(link, () => undefined);
  }
  if (refusal === undefined) return undefined;
  return new SignalboxError('refused', { reason: refusal.reason.replace(/\.$/, ''), code: refusal.code });
}

/** A sender's account may not be allowed to hear refusals; it can still send. */
async function hearRefusals(link: Link, take: (reject: RejectPayload) => void): Promise<void> {
  const subscribed = link.subscribe('reject', {}, ({ payload }) => {
    const decoded = decodePayload('reject', Buffer.from(payload).toString('utf8'));
    if (decoded.kind === 'payload') take(decoded.payload);
  });
  await subscribed.catch(() => undefined);
}

/** MQTT 3.1.1 has no refusal of a publish: the broker closes the connection, and a sender that tried again would be closed for ever. */
function closedByBroker(link: Link): Promise<never> {
  return new Promise((_resolve, reject) => {
    link.onLost((reason) => reject(new SignalboxError('not_taken', { reason })));
  });
}
