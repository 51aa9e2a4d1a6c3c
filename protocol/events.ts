/**
 * The one form of an event inside Signalbox: what an adapter makes of an agent's hook, cut down to an allow-list. Event log, spool, recordings and the wire
 * between hubs hold nothing else (spec: agents, section 1 "Privacy is an allow-list"). No zod here: the sender bundles this file.
 */
export const EVENT_NAMES = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'PermissionRequest',
  'PermissionDenied',
  'Elicitation',
  'ElicitationResult',
  'PreModelSwitch',
  'PostModelSwitch',
  'Notification',
  'Stop',
  'StopFailure',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'PostCompact',
  'SessionEnd',
  'Interrupt',
  /** A raw lamp signal; its name is in `signal`. */
  'Signal',
  /** Known to the agent's adapter and meaningless for state (display, file and task events): logged, changes nothing. */
  'Other',
] as const;
export type EventName = (typeof EVENT_NAMES)[number];

/** Raw lamp signals (spec: state, section 1); what each means is in event-table.ts. */
export const SIGNAL_NAMES = [
  'idle',
  'turn_end',
  'session_start',
  'session_end',
  'thinking',
  'working',
  'tool_done',
  'subagent_start',
  'subagent_stop',
  'done',
  'attention',
  'notification',
  'permission',
  'permission_request',
  'blocked',
  'failure',
  'error',
  'exception',
  'max_tokens',
  'stale',
  'off',
  'pause',
  'paused',
] as const;
export type SignalName = (typeof SIGNAL_NAMES)[number];

/** One piece of background work that a Stop lists; nothing of what it runs. */
export interface BackgroundWork {
  readonly id: string;
  readonly type: string;
  readonly status: string;
}

/** A canonical event. Times are unix milliseconds. Every text is cut, and every word is `[A-Za-z0-9_.-]{1,64}` or `other`. */
export interface CanonicalEvent {
  readonly v: 1;
  readonly event: EventName;
  /** Provider slug. */
  readonly provider: string;
  /** The agent's own session id; left out when the agent gives none (the hub derives one from provider, host and cwd). */
  readonly session_id?: string;
  readonly cwd?: string;
  /** The sender's machine; left out for the hub's own. */
  readonly host?: string;
  /** Unique per sending; the same id twice is one event. */
  readonly id?: string;
  readonly sent_at?: number;
  readonly transcript?: string;
  /** The prompt's (Claude) or turn's (Codex) id. */
  readonly prompt_id?: string;
  readonly agent_id?: string;
  readonly agent_type?: string;
  /** The parent's session id, for child sessions with an id of their own. */
  readonly parent_id?: string;
  /** The tool call's id. */
  readonly call?: string;
  /** The id of a permission or question request, where the agent has one. */
  readonly request?: string;
  readonly tool?: string;
  /** 16 hex digits: keyed digest of the tool's input. Opaque. */
  readonly digest?: string;
  readonly permission_mode?: string;
  readonly entrypoint?: string;
  /** A Notification's type. */
  readonly notification?: string;
  /** A StopFailure's kind. */
  readonly error?: string;
  readonly reason?: string;
  /** A SessionStart's source. */
  readonly source?: string;
  readonly trigger?: string;
  readonly signal?: SignalName;
  /** An `Other`'s name, and the agent's own name where it is not the canonical one. */
  readonly native?: string;
  /** How an elicitation or a question was answered, one word. */
  readonly outcome?: string;
  readonly background?: readonly BackgroundWork[];
  /** How many scheduled wake-ups a Stop lists. */
  readonly crons?: number;
  /** How many calls a PostToolBatch closes. */
  readonly calls?: number;
  /** The prompt is the client's own (a background task's report), not typed by the user. */
  readonly own_prompt?: boolean;
  /** The last message asks the user something (spec: state, section 7). */
  readonly question?: boolean;
  /** The last message is a failure although the agent calls it an answer. */
  readonly failed?: boolean;
  /** A Stop whose turn has completed a plan: it waits for approval. */
  readonly plan?: boolean;
  /** Sent by a subagent's `notify`, a title generator or the like: told by Codex' notify. */
  readonly notify?: boolean;
  readonly ppid?: number;
  readonly pid?: number;
  readonly tty?: string;
  readonly tmux_pane?: string;
  readonly term_program?: string;
  readonly job_id?: string;
  readonly child_session?: boolean;
  readonly ssh?: boolean;
  /** Present when the event came in a sender's envelope; without it, it was written by hand. */
  readonly enveloped?: boolean;
  /** Only with `privacy.titles`; at most 80 characters. */
  readonly title?: string;
}

/** How one field is checked and cut. `word`: one word or `other`; `name`: a tool's or agent type's name; `id`, `path`, `title`: text without control characters. */
export type FieldRule =
  | 'event'
  | 'signal'
  | 'word'
  | 'name'
  | 'id'
  | 'path'
  | 'title'
  | 'hex'
  | 'ms'
  | 'count'
  | 'flag'
  | 'work';

/** Every field of a canonical event but `v`, with its rule: adapters pick by this table, so what isn't here never passes. */
export const EVENT_FIELDS: Readonly<Record<Exclude<keyof CanonicalEvent, 'v'>, FieldRule>> = {
  event: 'event',
  provider: 'word',
  session_id: 'id',
  cwd: 'path',
  host: 'id',
  id: 'id',
  sent_at: 'ms',
  transcript: 'path',
  prompt_id: 'id',
  agent_id: 'id',
  agent_type: 'name',
  parent_id: 'id',
  call: 'id',
  request: 'id',
  tool: 'name',
  digest: 'hex',
  permission_mode: 'word',
  entrypoint: 'word',
  notification: 'word',
  error: 'word',
  reason: 'word',
  source: 'word',
  trigger: 'word',
  signal: 'signal',
  native: 'word',
  outcome: 'word',
  background: 'work',
  crons: 'count',
  calls: 'count',
  own_prompt: 'flag',
  question: 'flag',
  failed: 'flag',
  notify: 'flag',
  plan: 'flag',
  ppid: 'count',
  pid: 'count',
  tty: 'path',
  tmux_pane: 'id',
  term_program: 'word',
  job_id: 'id',
  child_session: 'flag',
  ssh: 'flag',
  enveloped: 'flag',
  title: 'title',
};

/** Longest text of a rule, in UTF-16 code units. */
const LONGEST = { id: 200, name: 128, path: 1024, title: 80 } as const;
const LONGEST_BACKGROUND = 64;
const WORD = /^[A-Za-z0-9_.-]{1,64}$/;
// Control characters, and the direction and line marks that could turn a name's display round.
// biome-ignore lint/suspicious/noControlCharactersInRegex: taking them out is the point.
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** One word as it may pass: itself, or `other` (some agents put sentences where others put a word). */
export function word(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  return WORD.test(value) ? value : 'other';
}

/** Text without control characters and lone surrogates, cut at a code point. Empty text is no text. */
export function text(value: unknown, longest: number): string | undefined {
  if (typeof value !== 'string') return undefined;
  const safe = whole(value.slice(0, longest + 1))
    .toWellFormed()
    .replace(UNSAFE, '');
  const cut = whole(safe.slice(0, longest));
  return cut === '' ? undefined : cut;
}

/** A cut through a surrogate pair leaves half of it; drops the half. */
function whole(cut: string): string {
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}

const EVENT_SET: ReadonlySet<string> = new Set(EVENT_NAMES);
const SIGNAL_SET: ReadonlySet<string> = new Set(SIGNAL_NAMES);

export function isEventName(value: unknown): value is EventName {
  return typeof value === 'string' && EVENT_SET.has(value);
}

export function isSignalName(value: unknown): value is SignalName {
  return typeof value === 'string' && SIGNAL_SET.has(value);
}

function wholeNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function work(value: unknown): readonly BackgroundWork[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const list: BackgroundWork[] = [];
  for (const entry of value.slice(0, LONGEST_BACKGROUND) as unknown[]) {
    if (typeof entry !== 'object' || entry === null) continue;
    const { id, type, status } = entry as Record<string, unknown>;
    list.push({
      id: text(id, LONGEST.id) ?? '',
      type: word(type) ?? 'other',
      status: word(status) ?? 'other',
    });
  }
  return list;
}

const RULES: Readonly<Record<FieldRule, (value: unknown) => unknown>> = {
  event: (value) => (isEventName(value) ? value : undefined),
  signal: (value) => (isSignalName(value) ? value : undefined),
  word,
  name: (value) => text(value, LONGEST.name),
  id: (value) => text(value, LONGEST.id),
  path: (value) => text(value, LONGEST.path),
  title: (value) => text(value, LONGEST.title),
  hex: (value) => (typeof value === 'string' && /^[0-9a-f]{16}$/.test(value) ? value : undefined),
  ms: wholeNumber,
  count: wholeNumber,
  flag: (value) => (value === true ? true : undefined),
  work,
};

/** What an adapter hands to `cutDown`: any value for any field; only what passes the field's rule stays. */
export type EventDraft = { readonly [K in keyof CanonicalEvent]?: unknown } & {
  readonly event: EventName;
  readonly provider: string;
};

/** Makes a canonical event of a draft: every field through its rule, what doesn't pass left out. */
export function cutDown(draft: EventDraft): CanonicalEvent {
  const event: Record<string, unknown> = { v: 1 };
  for (const [field, rule] of Object.entries(EVENT_FIELDS)) {
    const value = (draft as Record<string, unknown>)[field];
    if (value === undefined || value === null) continue;
    const passed = RULES[rule](value);
    if (passed !== undefined) event[field] = passed;
  }
  return event as unknown as CanonicalEvent;
}

/** True for a canonical event: no field beside the table's, and every value as its rule would leave it. */
export function isCanonicalEvent(value: unknown): value is CanonicalEvent {
  if (typeof value !== 'object' || value === null) return false;
  const given = value as Record<string, unknown>;
  if (given['v'] !== 1 || !isEventName(given['event']) || typeof given['provider'] !== 'string') return false;
  for (const [field, content] of Object.entries(given)) {
    if (field === 'v') continue;
    const rule = Object.hasOwn(EVENT_FIELDS, field)
      ? EVENT_FIELDS[field as keyof typeof EVENT_FIELDS]
      : undefined;
    if (rule === undefined) return false;
    if (
      rule === 'work'
        ? JSON.stringify(work(content)) !== JSON.stringify(content)
        : RULES[rule](content) !== content
    )
      return false;
  }
  return true;
}

/** Keyed and plain digests, handed in: protocol code does no cryptography of its own. Results are hex text. */
export interface Hasher {
  readonly hmac: (text: string) => string;
  readonly sha256: (text: string) => string;
}
