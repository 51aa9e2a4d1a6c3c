import { z } from 'zod';
import { isProviderSlug } from '../../protocol/providers.ts';

/** What an ntfy server takes as a topic: its `topicRegex`, and the names that its own pages use (`GET /v1/config`, `disallowed_topics`). */
const topicForm = /^[-_A-Za-z0-9]{1,64}$/;
const TAKEN_TOPICS: ReadonlySet<string> = new Set([
  'docs',
  'static',
  'file',
  'app',
  'metrics',
  'account',
  'settings',
  'signup',
  'login',
  'v1',
]);

const topic = z
  .string()
  .refine(
    (text) => topicForm.test(text) && !TAKEN_TOPICS.has(text),
    "1 to 64 of A-Z, a-z, 0-9, _ and -, and none of the server's own words, such as docs",
  );

/** An address without a password in it: that would be shown by `signalbox config`. */
function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

const server = z
  .string()
  .refine(
    (text) => isWebAddress(text) && new URL(text).search === '' && new URL(text).hash === '',
    'an address such as https://ntfy.sh, without user name and password',
  );

const clockTime = z
  .string()
  .regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d)?$/, 'a time of day such as 22:30, or nothing');

const priority = z.int().min(1).max(5);
/** 0: no message. */
const priorityOrNone = z.int().min(0).max(5);
const kind = (preset: number, what: string) => priorityOrNone.default(preset).describe(what);

const priorities = z.strictObject({
  permission: kind(4, 'The agent asks for a permission. 1 is least, 5 most, 0 sends nothing.'),
  question: kind(4, 'The agent asks a question.'),
  plan_approval: kind(4, 'A plan waits for its approval.'),
  elicitation: kind(4, "A tool's server asks for input."),
  account: kind(4, 'The account needs you: a login, a bill.'),
  notification: kind(3, 'The agent says that it waits, and not for what.'),
  possible_question: kind(2, 'The last message looks like a question.'),
  dialog: kind(0, 'A dialog is open in the terminal.'),
  error: kind(3, 'A turn failed; only with `error` in `notify.on`.'),
  done: kind(3, 'A turn is done; only with `done` in `notify.on`.'),
});

const quietHours = z
  .strictObject({
    from: clockTime
      .default('')
      .describe('When the quiet hours begin, by the local clock, e.g. `22:30`. Empty: there are none.'),
    to: clockTime
      .default('')
      .describe('When they end, e.g. `07:00`. A wait that still stands then is told at once.'),
    let_through: priorityOrNone
      .default(0)
      .describe('Messages of this priority and above come through all the same; 0: none does.'),
  })
  .superRefine(({ from, to }, context) => {
    if ((from === '') === (to === '')) return;
    const [given, missing] = from === '' ? ['to', 'from'] : ['from', 'to'];
    context.addIssue({
      code: 'custom',
      path: [given],
      message: `notify.quiet_hours.${missing} beside it`,
    });
  });

/** What one rule may change; what it leaves out stays. */
const rule = z.strictObject({
  enabled: z.boolean().optional(),
  priority: priority.optional(),
  topic: topic.optional(),
});

const providerRules = z
  .record(z.string().refine(isProviderSlug, '1 to 32 of a-z, 0-9, _ and -, and not "all"'), rule)
  .default({})
  .describe(
    'Rules by agent, e.g. `[notify.providers.codex]` with `enabled = false`, or another `priority` or `topic`.',
  );

const projectRules = z
  .record(z.string().min(1), rule)
  .default({})
  .describe(
    'Rules by project, by name or glob, e.g. `[notify.projects."client-*"]` with `topic = "work"`. They go before those by agent.',
  );

/** Messages to the phone (spec: consumers, section 2). */
export const notify = z.strictObject({
  enabled: z
    .boolean()
    .default(false)
    .describe('Send messages to the phone through an ntfy server. Off until you switch it on.'),
  server: server.default('https://ntfy.sh').describe('Address of the ntfy server; a path in it is kept.'),
  topic: topic
    .default('claudeCodeWaitingOnYou')
    .describe(
      'Topic that the phone subscribes to. On a public server anybody who knows it can read along: choose one that nobody guesses.',
    ),
  token_file: z
    .string()
    .default('')
    .describe(
      'File whose first line is the access token (`tk_...`). `SIGNALBOX_NOTIFY_TOKEN` goes before it, and a token before name and password.',
    ),
  username: z.string().default('').describe('User name at the ntfy server.'),
  password_file: z
    .string()
    .default('')
    .describe("File whose first line is that user's password. `SIGNALBOX_NOTIFY_PASSWORD` goes before it."),
  on: z
    .array(z.enum(['needs_user', 'error', 'done']))
    .default(['needs_user'])
    .describe('What is told: an agent that waits for you, a turn that failed, a turn that is done.'),
  delay: z
    .number()
    .min(0)
    .max(3600)
    .default(0)
    .describe('A wait is told after this; one that is answered before is not told at all.'),
  escalate_after: z
    .number()
    .min(0)
    .max(4320)
    .default(0)
    .describe(
      'After this many minutes a wait that still stands is told a second time, at priority 5; 0: never.',
    ),
  presence: z
    .number()
    .min(0)
    .max(3600)
    .default(5)
    .describe(
      "Nothing is sent while the session's terminal had input within this time, where that can be seen (Linux); 0: never held back.",
    ),
  language: z.enum(['en', 'de']).default('en').describe('Language of the messages.'),
  click: z
    .string()
    .refine(
      (text) => text === '' || isWebAddress(text),
      'an address such as https://home.example.org/, without user name and password',
    )
    .default('')
    .describe('Address that a tap on a message opens. Empty: none.'),
  quiet_hours: quietHours.prefault({}),
  priorities: priorities.prefault({}),
  providers: providerRules,
  projects: projectRules,
});
