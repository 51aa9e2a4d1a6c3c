import { z } from 'zod';
import { isProviderSlug } from '../../protocol/providers.ts';

/** One plain topic level: machine names become one (spec: bus, "Topics"). */
const machineName = /^(?:[^/+#$\p{Cc}][^/+#\p{Cc}]{0,63})?$/u;
const topicPrefix = /^(?:[^/+#$\p{Cc}][^/+#\p{Cc}]*(?:\/[^/+#\p{Cc}]+)*)?$/u;

const port = z.int().min(0).max(65535);
const seconds = z.number().min(0);

export const general = {
  prefix: z
    .string()
    .regex(topicPrefix, 'topic levels without wildcards, such as team/alice')
    .default('')
    .describe(
      'Topic levels in front of all topics, so that several hubs can share one broker, e.g. `team/alice`.',
    ),
  host: z
    .string()
    .regex(machineName, 'one topic level of at most 64 characters')
    .default('')
    .describe("This machine's name on the bus. Empty: the name the system gives it."),
};

export const broker = z.strictObject({
  listen: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe(
      'Address that the embedded broker listens on: one of this machine, since accounts for others are not part of this version.',
    ),
  port: port.default(1883).describe('MQTT port of the embedded broker; 0 takes any free one.'),
  socket: z
    .boolean()
    .default(true)
    .describe('Listen on a Unix socket (mode 0600) as well; its clients may act.'),
  url: z
    .string()
    .default('')
    .describe(
      'Another broker to use, e.g. `mqtts://broker.example:8883`. Empty: the embedded one alone. A password in it is refused.',
    ),
  username: z.string().default('').describe('User name at the other broker.'),
  password_file: z
    .string()
    .default('')
    .describe(
      'File whose first line is the password at the other broker. `SIGNALBOX_BROKER_PASSWORD` goes before it.',
    ),
});

export const http = z.strictObject({
  listen: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe(
      'Address that the HTTP server listens on. Beyond this machine every request needs the token, and nothing is encrypted.',
    ),
  port: port
    .default(4787)
    .describe('Port of the HTTP interface and of MQTT over WebSocket; 0 takes any free one.'),
  hosts: z
    .array(z.string().min(1))
    .default([])
    .describe(
      "Names that the HTTP port is reached by, e.g. `desk.lan`. Loopback, and beyond it addresses and this machine's own name, are known.",
    ),
  token_file: z
    .string()
    .default('')
    .describe(
      'File whose first line is the token of the HTTP port. `SIGNALBOX_HTTP_TOKEN` goes before it. Empty: `http-token` in the data folder, made at random.',
    ),
});

const timeouts = z.strictObject({
  needs_user: seconds.default(3600).describe('A session that waits for the user is removed after this.'),
  error: seconds.default(1800).describe('A failed session is removed after this.'),
  done: seconds.default(300).describe('A finished session is removed after this.'),
  running: seconds
    .default(600)
    .describe('A running session that nothing is heard of becomes unknown after this.'),
  unknown: seconds.default(1200).describe('An unknown session is removed after this.'),
  idle: seconds.default(300).describe('An idle session is removed after this.'),
  scheduled: seconds
    .default(86400)
    .describe('An idle session that has scheduled work is removed after this.'),
  completed: seconds
    .default(30)
    .describe('The lamp shows `completed` for this long after the end of a turn.'),
});

export const state = z.strictObject({
  questions: z.boolean().default(true).describe('Find out whether a final message asks the user something.'),
  background: z
    .enum(['all', 'agents'])
    .default('all')
    .describe(
      'Which background work keeps a session running after its turn: `all`, or `agents` (shells and monitors left out).',
    ),
  timeouts: timeouts.prefault({}),
});

export const project = z.strictObject({
  roots: z
    .array(z.string().min(1))
    .default([])
    .describe(
      'Folders that hold projects, e.g. `~/work`: cut off the front of a path before the project is named after its last folder.',
    ),
  names: z
    .record(z.string().min(1), z.string().min(1))
    .default({})
    .describe('Names for projects by path or glob, e.g. `"~/work/shop-*" = "shop"`.'),
});

const provider = z.strictObject({ name: z.string().min(1).max(64) });

export const providers = z
  .record(z.string().refine(isProviderSlug, '1 to 32 of a-z, 0-9, _ and -, and not "all"'), provider)
  .default({})
  .describe('More agents, or other names for known ones, e.g. `[providers.aider]` with `name = "Aider"`.');

export const privacy = z.strictObject({
  titles: z.boolean().default(false).describe('Keep the titles of sessions, which agents make from prompts.'),
});

export const history = z.strictObject({
  days: z.int().min(1).default(30).describe('Days for which the event log is kept.'),
});

export const database = z.strictObject({
  synchronous: z
    .enum(['normal', 'full'])
    .default('normal')
    .describe(
      '`normal` survives the crash of any process, `full` a power cut too, at the cost of a disk flush a commit.',
    ),
});

const source = (what: string) => z.boolean().default(true).describe(what);

/** Which second sources may be read beside the hooks (spec: agents, section 4). */
export const sources = z.strictObject({
  process: source("Look whether agents' processes live."),
  claude_sessions: source('Read what Claude Code says of itself in its session files.'),
  claude_agents: source('Ask `claude agents --json` where its session files can not be used.'),
  claude_transcript: source(
    "See Esc and No in Claude Code's transcripts where its session files can not be used.",
  ),
  codex_rollout: source("Read in Codex' rollouts what no hook tells: an error, Esc, a plan."),
  copilot_events: source(
    "Read in the logs of Copilot's sessions what no hook tells: an answer, Esc, an error.",
  ),
});

export const log = z.strictObject({
  level: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('Least important lines that are logged; `silent`: none.'),
  format: z
    .enum(['auto', 'pretty', 'json'])
    .default('auto')
    .describe('`auto`: readable lines on a terminal, one JSON object a line otherwise.'),
});
