import type { SessionPayload } from '../../../protocol/messages/session.ts';
import type { SignalPayload } from '../../../protocol/messages/signal.ts';
import { ATTENTION_PRIORITY, type LampState } from '../../../protocol/states.ts';
import type { ProviderStatus, StatusView } from '../status-view.ts';
import type { BarState } from './sign.ts';

/** The signals at one moment as every status bar shows them. Text in it is as it came: each host's escaping is its format's. */
export interface Bar {
  readonly state: BarState;
  /** In registry order; none while there is no hub: what it said last is not to be shown as live. */
  readonly providers: readonly ProviderStatus[];
  /** The one to name: the strongest that waits or has failed, the newest of these. */
  readonly first: ProviderStatus | undefined;
  /** How many projects are in the same state beside the one that is named. */
  readonly more: number;
  /** How many projects wait for the user. */
  readonly waits: number;
  /** What is not idle, by urgency; for hosts with a menu, and only where the account may see it. */
  readonly sessions: readonly SessionPayload[];
  /** Unix ms. */
  readonly now: number;
}

export interface BarParts {
  /** Unix ms. */
  readonly now: number;
  /** Slug of the only one to show; all without it. */
  readonly provider?: string | undefined;
  readonly sessions?: readonly SessionPayload[];
}

/** Pure: no clock, no connection. */
export function barOf(view: StatusView, { now, provider, sessions = [] }: BarParts): Bar {
  if (view.hub.state !== 'online')
    return { state: 'offline', providers: [], first: undefined, more: 0, waits: 0, sessions: [], now };
  const { providers } = view;
  const first = providers
    .filter(({ signal }) => isNamed(signal))
    .toSorted(
      ({ signal: a }, { signal: b }) =>
        ATTENTION_PRIORITY[a.attention.state] - ATTENTION_PRIORITY[b.attention.state] ||
        b.attention.since - a.attention.since,
    )[0];
  const inState = (state: string | undefined): number =>
    providers.reduce(
      (sum, { signal }) => sum + (signal.attention.state === state ? signal.attention.count : 0),
      0,
    );
  const lamp = lampOf(view, provider);
  return {
    // Glyph and text are of one agent: the strongest lamp of all may be another's, whom the text does not name.
    state: first === undefined || lamp === 'paused' ? lamp : first.signal.lamp,
    providers,
    first,
    more: Math.max(0, inState(first?.signal.attention.state) - 1),
    waits: inState('needs_user'),
    sessions: sessions.filter(
      (session) => session.state !== 'idle' && (provider === undefined || session.provider === provider),
    ),
    now,
  };
}

/** A provider that nothing was heard of is not green: nobody knows. */
function lampOf({ lamp, providers }: StatusView, provider: string | undefined): LampState {
  if (provider === undefined) return lamp ?? 'stale';
  return providers[0]?.signal.lamp ?? 'stale';
}

function isNamed({ attention }: SignalPayload): boolean {
  return attention.state === 'needs_user' || attention.state === 'error';
}

const MINUTE = 60_000;

/** When an age in the bar reads differently next; `undefined` when nothing in it has one. Unix ms. */
export function nextMinute({ providers, sessions, now }: Bar): number | undefined {
  const sinces = [...providers.map(({ signal }) => signal.attention.since), ...sessions.map((s) => s.since)];
  const waits = sinces
    .filter((since) => since > 0)
    .map((since) => MINUTE - ((((now - since * 1000) % MINUTE) + MINUTE) % MINUTE));
  return waits.length === 0 ? undefined : now + Math.min(...waits);
}
