import * as fc from 'fast-check';
import { type CanonicalEvent, EVENT_NAMES, SIGNAL_NAMES } from '../../protocol/events.ts';
import type { Session } from '../../protocol/session.ts';
import type { SessionTable } from '../../protocol/table.ts';
import { HOUR, MINUTE, SECOND, T0 } from './driving.ts';

/** What happens: an event (a raw signal of nobody's among them), and how long after the one before. */
export interface Happening {
  readonly event: CanonicalEvent;
  readonly after: number;
  readonly live: boolean;
}

export const PROVIDERS = ['claude', 'codex', 'qwen'];
const maybe = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });

const fields = fc.record({
  session_id: fc.constantFrom('s1', 's2', 's3'),
  host: fc.constantFrom('studio', 'laptop'),
  cwd: maybe('/w/a/foo', '/w/b/foo', 'C:\\w\\bar', `/w/${'ü'.repeat(60)}`),
  agent_id: fc.option(fc.constantFrom('a1', 'a2'), { nil: undefined, freq: 1 }),
  tool: maybe('Bash', 'AskUserQuestion', 'ExitPlanMode', 'constructor'),
  digest: maybe('00000000000000aa', '00000000000000bb'),
  call: maybe('c1', 'c2'),
  request: fc.option(fc.constantFrom('r1', 'r2'), { nil: undefined, freq: 1 }),
  prompt_id: maybe('p1', 'p2'),
  entrypoint: maybe('cli', 'sdk-ts'),
  permission_mode: maybe('auto', 'default', 'bypassPermissions'),
  notification: maybe(
    'permission_prompt',
    'elicitation_dialog',
    'elicitation_response',
    'idle_prompt',
    'auth_success',
    'agent_needs_input',
    'other',
  ),
  error: maybe('overloaded', 'billing_error', 'constructor'),
  source: maybe('startup', 'resume', 'compact', 'constructor'),
  background: maybe(
    [],
    [{ id: 'a1', type: 'subagent', status: 'running' }],
    [{ id: 'b', type: 'shell', status: 'completed' }],
  ),
  crons: maybe(0, 1),
  question: maybe(true),
  own_prompt: maybe(true),
  notify: fc.option(fc.constant(true), { nil: undefined, freq: 1 }),
  enveloped: maybe(true),
});

function cleaned(given: object): CanonicalEvent {
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as unknown as CanonicalEvent;
}

export const anyHook = fc
  .tuple(
    fc.constantFrom(...EVENT_NAMES),
    fc.constantFrom(...SIGNAL_NAMES),
    fc.constantFrom(...PROVIDERS),
    fields,
  )
  .map(([event, signal, provider, more]) =>
    cleaned({ v: 1, event, provider, ...more, signal: event === 'Signal' ? signal : undefined }),
  );
const nobodys = fc
  .tuple(fc.constantFrom(...SIGNAL_NAMES), fc.constantFrom(...PROVIDERS, 'all'))
  .map(([signal, provider]) => cleaned({ v: 1, event: 'Signal', provider, host: 'studio', signal }));
export const happening: fc.Arbitrary<Happening> = fc.record({
  event: fc.oneof({ weight: 12, arbitrary: anyHook }, { weight: 1, arbitrary: nobodys }),
  after: fc.constantFrom(
    0,
    1,
    100,
    300,
    301,
    500,
    501,
    SECOND,
    31 * SECOND,
    MINUTE,
    6 * MINUTE,
    11 * MINUTE,
    HOUR,
    3 * HOUR,
  ),
  live: fc.boolean(),
});
export const story = fc.array(happening, { maxLength: 40 });

/** Lets the table run to a time, every deadline at its own moment. */
export function runTo(table: SessionTable, until: number): void {
  for (let due = table.nextDeadline(); due !== undefined && due <= until; due = table.nextDeadline())
    table.advance(due);
  table.advance(until);
}

/** Tells a story; after each step `look` may look. @returns the time at its end */
export function tell(
  table: SessionTable,
  steps: readonly Happening[],
  look: (now: number) => void = () => undefined,
  from = T0,
): number {
  let now = from;
  for (const { event, after, live } of steps) {
    now += after;
    runTo(table, now);
    look(now);
    table.apply(event, { now, live });
    look(now);
  }
  return now;
}

/** Puts sessions in an order that says nothing of them. */
export function byKey(a: Pick<Session, 'provider' | 'key'>, b: Pick<Session, 'provider' | 'key'>): number {
  return `${a.provider} ${a.key}`.localeCompare(`${b.provider} ${b.key}`);
}
