import { randomBytes } from 'node:crypto';
import { readSettings, writeSettings } from '../../hooks/installers/settings-file.ts';
import { SignalboxError } from '../../protocol/errors.ts';
import { loadConfig, type LoadedConfig } from '../../runtime/config/load.ts';
import {
  hasNotify,
  type NotifyTarget,
  PUBLIC_NTFY,
  serverFault,
  SHARED_TOPIC,
  topicFault,
  withNotify,
} from '../../runtime/config/notify-section.ts';
import { faultWords } from '../../services/notifier/fault-words.ts';
import { sendTest } from '../../services/notifier/send-test.ts';
import type { CommandContext } from '../context.ts';
import { type Answer, askText, askYes } from '../hooks/ask.ts';
import type { Consent } from '../hooks/install-agents.ts';
import { commandOf } from '../own-command.ts';
import { runningHub } from '../service/install-service.ts';
import type { Settings } from '../settings.ts';
import { lookAt } from '../terminal/look.ts';
import { shortPath } from '../terminal/short-path.ts';
import { subscribeText } from './phone-text.ts';
import { privateTopic } from './private-topic.ts';

export interface PhoneOptions extends Consent {
  /** `--phone`: set it up; `--no-phone`: say nothing of it; neither: ask where somebody can be asked. */
  readonly phone?: boolean;
  /** `--ntfy-server`: a server of one's own. */
  readonly ntfyServer?: string;
}

export interface PhoneOffer {
  readonly answer: Answer;
  /** The server has not taken the test message. */
  readonly failed: boolean;
}

const NO: PhoneOffer = { answer: 'no', failed: false };
const BROKEN_OFF: PhoneOffer = { answer: 'broken off', failed: false };

/**
 * Offers messages to the phone: a private topic, its code to scan, a test message. Nothing goes to a server that nobody has agreed to: with `--yes` alone it is left out.
 * @throws SignalboxError `config_unreadable`, `settings_unusable`, `settings_unreadable`
 */
export async function offerPhone(
  settings: Settings,
  options: PhoneOptions,
  context: CommandContext,
): Promise<PhoneOffer> {
  const { stdout, env, home } = context;
  const wanted = options.phone === true || options.ntfyServer !== undefined;
  if (options.phone === false && !wanted) return NO;
  const { configFile } = settings.paths;
  const file = shortPath(configFile, home);
  if (settings.config.notify.enabled || hasNotify(readSettings(configFile) ?? ''))
    return inPlace(settings, file, wanted, options, context);
  if (options.dryRun) {
    stdout.write(`Phone: [notify] with a private topic would go into ${file}, once you agree\n`);
    return NO;
  }
  if (options.yes && !wanted) {
    stdout.write(`Phone: left out; ${commandOf(env)} init --phone sets it up\n`);
    return NO;
  }
  const target = await chosen(options, wanted, context);
  if (target === undefined || typeof target === 'string') return target === 'broken off' ? BROKEN_OFF : NO;
  // Read again: somebody may have written to it while the questions stood.
  const text = readSettings(configFile) ?? '';
  if (hasNotify(text)) {
    stdout.write(`Phone: [notify] has come into ${file} meanwhile, and is left as it is\n`);
    return NO;
  }
  writeSettings(configFile, withNotify(text, target), PRIVATE_FILE);
  stdout.write(`Written: [notify] in ${file}\n\n`);
  return tryIt(loadConfig({ file: configFile, env }), options, context, settings);
}

/** Whoever has the topic can read the messages, and send some. */
const PRIVATE_FILE = 0o600;

/** What there is already is shown, and left as it is. */
async function inPlace(
  settings: Settings,
  file: string,
  wanted: boolean,
  options: PhoneOptions,
  context: CommandContext,
): Promise<PhoneOffer> {
  const { enabled, server, topic } = settings.config.notify;
  const { stdout, env } = context;
  if (!enabled) {
    stdout.write(`Phone: [notify] in ${file} is switched off, and left as it is ("notify.enabled")\n`);
    return NO;
  }
  stdout.write(`Phone: set up, messages go to ${server}\n       topic ${topic}\n`);
  if (options.ntfyServer !== undefined && options.ntfyServer !== server)
    stdout.write(`       To use another server, change "notify.server" in ${file}\n`);
  if (topic === SHARED_TOPIC)
    stdout.write('       Anybody can read that topic: set "notify.topic" to one that nobody guesses\n');
  if (!wanted)
    stdout.write(`       ${commandOf(env)} init --phone shows its code, and sends a test message\n`);
  if (!wanted || options.dryRun) return NO;
  return tryIt(settings, options, context, settings);
}

/** Asks for server and topic, as far as they are not told. */
async function chosen(
  { yes, ntfyServer }: PhoneOptions,
  wanted: boolean,
  context: CommandContext,
): Promise<NotifyTarget | 'no' | 'broken off'> {
  const proposed = privateTopic(randomBytes);
  if (yes) return { server: ntfyServer ?? PUBLIC_NTFY, topic: proposed };
  context.stdout.write(
    'Phone: a message when an agent waits for you, through the app "ntfy" and its\npublic server, or one of your own. It tells the project and what is asked for.\n',
  );
  if (!wanted) {
    const answer = await askYes('Set up messages to the phone?', context);
    if (answer !== 'yes') return answer;
  }
  const server = ntfyServer ?? (await askValid('ntfy server', PUBLIC_NTFY, serverFault, context));
  if (server === undefined) return 'broken off';
  const topic = await askValid('Topic, a secret', proposed, topicFault, context);
  return topic === undefined ? 'broken off' : { server, topic };
}

/** Before anything is done. @throws SignalboxError `bad_usage` */
export function checkServer({ ntfyServer: server }: PhoneOptions): void {
  const fault = server === undefined ? undefined : serverFault(server);
  if (fault === undefined) return;
  const reason = `"--ntfy-server" takes ${fault}.`;
  throw new SignalboxError('bad_usage', { reason, help: 'signalbox init --help' });
}

/** Asks until the settings would take it. @returns undefined when the user breaks off */
async function askValid(
  what: string,
  proposed: string,
  faultOf: (text: string) => string | undefined,
  context: CommandContext,
): Promise<string | undefined> {
  for (;;) {
    const text = await askText(what, proposed, context);
    const fault = text === undefined ? undefined : faultOf(text);
    if (fault === undefined) return text;
    context.stdout.write(`It takes ${fault}.\n`);
  }
}

/** Shows how to subscribe, and sends a test message to those who agree. */
async function tryIt(
  loaded: LoadedConfig,
  { yes }: PhoneOptions,
  context: CommandContext,
  { paths }: Settings,
): Promise<PhoneOffer> {
  const { stdout } = context;
  const { server, topic, username, language } = loaded.config.notify;
  const { colour, terminal, width } = lookAt(context, Date.now());
  stdout.write(
    subscribeText({ server, topic }, { colour: colour && terminal, width, height: stdout.rows ?? 0 }),
  );
  const answer = yes ? 'yes' : await askYes('\nSubscribed? Send a test message now?', context);
  if (answer === 'broken off') return BROKEN_OFF;
  let failed = false;
  if (answer === 'yes') {
    const outcome = await sendTest({ server, topic, username, language, ...loaded.notifySecrets() });
    failed = !outcome.ok;
    stdout.write(outcome.ok ? takenText(server) : notTakenText(server, outcome));
  }
  const hub = await runningHub(paths);
  if (hub !== undefined)
    stdout.write(`The hub that runs (process ${hub.pid}) reads its settings when it is started again.\n`);
  return { answer: 'yes', failed };
}

function takenText(server: string): string {
  return `The server has taken the test message: ${server}\n  It comes to every phone that has subscribed. If not: the app's own settings.\n`;
}

function notTakenText(server: string, outcome: Parameters<typeof faultWords>[0]): string {
  const { what, mend } = faultWords(outcome);
  return `No test message: ${server}: ${what}.\n  ${mend}\n`;
}
