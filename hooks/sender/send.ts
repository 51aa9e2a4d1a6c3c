import type { Readable } from 'node:stream';
import { createTopics } from '../../protocol/topics.ts';
import { toldEnvironment } from '../../runtime/config/sender-environment.ts';
import { type HubFile, readHubFile } from '../../runtime/hub-file.ts';
import { type Paths, resolvePaths } from '../../runtime/paths.ts';
import { readArguments } from './arguments.ts';
import { type Budget, budgetFrom } from './budget.ts';
import type { Connection } from './connection.ts';
import { controllingTerminal } from './controlling-terminal.ts';
import { putInEnvelope, type Sending } from './envelope.ts';
import { expectedAnswer } from './expected-answer.ts';
import { openHubDoor } from './hub-door.ts';
import { type Input, readStdin } from './read-stdin.ts';

/** What the surroundings of a sending are. */
export interface SenderContext {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: () => string;
  readonly ppid: number;
  readonly stdin: () => Readable;
  /** Writes at once; never throws. */
  readonly write: (text: string) => void;
  /** When the process was started, unix ms. */
  readonly started: number;
  /** Milliseconds since then. */
  readonly passed: () => number;
}

/** The hub takes no more from a hook (spec: bus, "Durability" 1). */
const LONGEST = 16 * 1024 * 1024;

/**
 * Sends one event of an agent to the hub of this machine, or leaves it in the spool when the hub does not take it in time (spec: agents, section 1; bus, "Durability"
 * 4). Prints what the agent expects and nothing else. What was published but not acknowledged goes to the spool as well: it has the same id, and the hub drops the
 * second. Resolves within the budget; rejects only with what nobody can do anything about.
 */
export async function sendHook(context: SenderContext): Promise<void> {
  const args = readArguments(context.argv);
  if (args === undefined) return;
  if (args.chained !== undefined) await startChained(args.chained);
  const budget = budgetFrom(context.passed());
  const paths = resolvePaths({ env: context.env, platform: context.platform, home: context.home() });
  const hub = readHubFile(paths.hubFile);
  const id = uniqueId();
  // While the agent still writes.
  const door = hub === undefined ? undefined : openHubDoor(hub, `sb${id}`.slice(0, 23));
  door?.catch(() => undefined);

  const input = await inputOf(args.json, context, budget);
  const { provider, event } = args;
  if (!args.enveloped) {
    const json = (): string => Buffer.concat(input.chunks).toString('latin1');
    context.write(expectedAnswer(provider, event, json));
  }
  if (input.bytes === 0) return;
  const sending: Sending = {
    id,
    sent_at: Math.floor(context.started),
    ppid: context.ppid,
    tty: controllingTerminal(context.ppid),
    env: toldEnvironment(context.env),
  };
  const payload = args.enveloped ? input.chunks : putInEnvelope(input.chunks, sending, args);
  const sent = context.passed();
  const delivered = deliver(door, hub, provider, payload);
  if (await within(delivered, budget.answer(input.bytes, sent) - sent)) return;
  // Sent all the same, so that the hub says `too_large`; but of a part of a JSON text nothing can be told.
  if (!input.tooLarge) await leave(payload, provider, paths, context);
}

/** What the agent has to say. */
async function inputOf(
  json: string | undefined,
  { stdin, passed }: SenderContext,
  budget: Budget,
): Promise<Input> {
  if (json === undefined) {
    const { until, gap, atMost } = budget.input;
    const now = passed();
    return readStdin(stdin(), { within: until - now, gap, atMost: atMost - now, longest: LONGEST });
  }
  const bytes = Buffer.from(json);
  return { chunks: [bytes], bytes: bytes.length, tooLarge: false };
}

async function deliver(
  door: Promise<Connection> | undefined,
  hub: HubFile | undefined,
  provider: string,
  payload: readonly Uint8Array[],
): Promise<void> {
  if (door === undefined) throw new Error('no hub');
  const connection = await door;
  await connection.publish(createTopics(hub?.prefix).build('hook', { provider }), payload);
  connection.close();
}

/** Runs it as the agent would, and waits for nothing of it. */
async function startChained([program, ...args]: readonly [string, ...string[]]): Promise<void> {
  const { spawn } = await import('node:child_process');
  const child = spawn(program, args, { stdio: 'inherit', windowsHide: true });
  // Not there: nobody would hear of it without us either.
  child.on('error', () => undefined);
  child.unref();
}

/** True when it was done in time, false when it failed or was not. */
function within(done: Promise<void>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    // An answer that has come while the timer was late counts.
    const timer = setTimeout(() => setImmediate(() => resolve(false)), Math.max(ms, 0));
    const end = (success: boolean) => (): void => {
      clearTimeout(timer);
      resolve(success);
    };
    done.then(end(true), end(false));
  });
}

/** Loaded only now: adapters and digests are most of the program, and a hub that runs needs none of it here. */
async function leave(
  payload: readonly Uint8Array[],
  provider: string,
  paths: Paths,
  { started, passed }: SenderContext,
): Promise<void> {
  const { keep } = await import('./keep.ts');
  keep(payload, provider, paths, { started, now: started + passed() });
}

/** Unique over all senders of all machines, without loading a module for it: about 100 random bits, and the time. */
function uniqueId(): string {
  const random = (): string => Math.random().toString(36).slice(2, 12).padEnd(10, '0');
  return `${random()}${random()}-${Date.now().toString(36)}`;
}
