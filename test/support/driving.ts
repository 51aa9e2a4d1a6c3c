import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { CanonicalEvent, EventName, SignalName } from '../../protocol/events.ts';
import { DEFAULT_TIMEOUTS, type Timeouts } from '../../protocol/expiry.ts';
import { createProviderRegistry } from '../../protocol/providers.ts';
import type { Session } from '../../protocol/session.ts';
import type { Outcome, TableOptions } from '../../protocol/table-changes.ts';
import { SessionTable } from '../../protocol/table.ts';

/** When every driven table begins, unix ms. */
export const T0 = 1_790_000_000_000;

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export type Fields = Partial<Omit<CanonicalEvent, 'v' | 'event'>>;

export interface DriveOptions {
  readonly timeouts?: Partial<Timeouts>;
  readonly background?: 'all' | 'agents';
  readonly table?: Partial<TableOptions>;
  /** What every event says unless it says otherwise. */
  readonly defaults?: Fields;
}

export interface Given {
  /** How long after the one before it comes [ms]; a second unless said. */
  readonly after?: number;
  readonly live?: boolean;
  readonly fingerprint?: string;
}

export function tableOptions(options: DriveOptions = {}): TableOptions {
  return {
    registry: createProviderRegistry(),
    timeouts: { ...DEFAULT_TIMEOUTS, ...options.timeouts },
    rules: { background: options.background ?? 'all' },
    names: { roots: [], names: {} },
    sha256,
    ...options.table,
  };
}

export type Driver = ReturnType<typeof drive>;

/** A session table under a clock of its own: every deadline runs at its own moment, as in the hub. */
export function drive(options: DriveOptions = {}) {
  const table = new SessionTable(tableOptions(options));
  const defaults: Fields = {
    provider: 'claude',
    session_id: 's1',
    host: 'studio',
    cwd: '/home/dev/shop',
    enveloped: true,
    ...options.defaults,
  };
  let now = T0;

  /** Lets time pass. */
  function wait(ms: number): void {
    const until = now + ms;
    for (let due = table.nextDeadline(); due !== undefined && due <= until; due = table.nextDeadline()) {
      now = Math.max(now, due);
      table.advance(now);
      expect(table.nextDeadline() ?? Infinity).toBeGreaterThan(now);
    }
    now = until;
  }

  /** One event, a second after the one before unless said otherwise; a field given as `undefined` is left out. */
  function hook(
    event: EventName,
    fields: { [K in keyof Fields]?: Fields[K] | undefined } = {},
    given: Given = {},
  ): Outcome {
    wait(given.after ?? SECOND);
    const said = Object.entries({ ...defaults, ...fields }).filter(([, value]) => value !== undefined);
    return table.apply({ v: 1, event, ...Object.fromEntries(said) } as unknown as CanonicalEvent, {
      now,
      live: given.live ?? true,
      ...(given.fingerprint !== undefined && { fingerprint: given.fingerprint }),
    });
  }

  function find(session_id = 's1'): Session | undefined {
    for (const session of table.sessions()) if (session.session_id === session_id) return session;
    return undefined;
  }

  function the(session_id = 's1'): Session {
    const session = find(session_id);
    if (session === undefined) throw new Error(`no session ${session_id}`);
    return session;
  }

  return {
    table,
    wait,
    hook,
    find,
    the,
    now: () => now,
    /** A raw lamp signal, by hand. */
    signal: (signal: SignalName, fields: Parameters<typeof hook>[1] = {}, given: Given = {}) =>
      hook('Signal', { signal, enveloped: undefined, ...fields }, given),
    /** Started and prompted: the usual beginning. */
    begin: (fields: Parameters<typeof hook>[1] = {}) => {
      hook('SessionStart', { source: 'startup', ...fields });
      hook('UserPromptSubmit', { prompt_id: 'p1', ...fields });
    },
    state: (id?: string) => find(id)?.state,
    reason: (id?: string) => find(id)?.reason,
    lamp: (id?: string) => find(id)?.lamp,
    /** Kinds of the open requests, oldest first. */
    kinds: (id?: string) => the(id).attentions.map((open) => open.kind),
    alert: (provider = 'claude') => table.signal(provider).alert,
    attention: (provider = 'claude') => table.signal(provider).attention,
  };
}
