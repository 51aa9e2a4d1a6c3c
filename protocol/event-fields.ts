import { text, word } from './clean-text.ts';
import {
  type BackgroundWork,
  type CanonicalEvent,
  type EventName,
  isEventName,
  isSignalName,
} from './events.ts';

/** How one field is checked and cut. `word`: one word or `other`; `name`: a tool's or agent type's name; `id`, `path`, `title`: text without control characters. */
export type FieldRule =
  | 'event'
  | 'signal'
  | 'word'
  | 'name'
  | 'id'
  | 'path'
  | 'title'
  | 'device'
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
  reviewer: 'word',
  ppid: 'count',
  pid: 'count',
  tty: 'device',
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
/** A terminal's device file; anything else is somebody's text. */
const DEVICE = /^\/dev\/[a-zA-Z0-9/]{1,40}$/;

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
  device: (value) => (typeof value === 'string' && DEVICE.test(value) ? value : undefined),
  hex: (value) => (typeof value === 'string' && /^[0-9a-f]{16}$/.test(value) ? value : undefined),
  ms: wholeNumber,
  count: wholeNumber,
  flag: (value) => (value === true ? true : undefined),
  work,
};

/** Every event goes through all of them: looked up once. */
const PASSES = Object.entries(EVENT_FIELDS).map(([field, rule]) => [field, RULES[rule]] as const);

/** What an adapter hands to `cutDown`: any value for any field; only what passes the field's rule stays. */
export type EventDraft = { readonly [K in keyof CanonicalEvent]?: unknown } & {
  readonly event: EventName;
  readonly provider: string;
};

/** Makes a canonical event of a draft: every field through its rule, what doesn't pass left out. */
export function cutDown(draft: EventDraft): CanonicalEvent {
  const event: Record<string, unknown> = { v: 1 };
  for (const [field, pass] of PASSES) {
    const value = (draft as Record<string, unknown>)[field];
    if (value === undefined || value === null) continue;
    const passed = pass(value);
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
