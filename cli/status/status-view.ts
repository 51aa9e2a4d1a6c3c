import type { HubInfoPayload } from '../../protocol/messages/hub.ts';
import type { SignalPayload } from '../../protocol/messages/signal.ts';
import type { LampState } from '../../protocol/states.ts';

/** One provider as the bus shows it. */
export interface ProviderStatus {
  /** Slug. */
  readonly provider: string;
  readonly signal: SignalPayload;
}

/** Whether what is shown is known to be so. */
export type HubView =
  | { readonly state: 'online' }
  /** @property since unix ms; @property reason in words that follow "Hub gone" in brackets */
  | { readonly state: 'gone'; readonly since: number; readonly reason: string };

/** The signals at one moment. While the hub is gone they are the last ones known, and must not be shown as live. */
export interface StatusView {
  readonly hub: HubView;
  /** `lamp/all`; undefined until it was heard. */
  readonly lamp: LampState | undefined;
  /** `line`; undefined until it was heard. */
  readonly line: string | undefined;
  /** In registry order. */
  readonly providers: readonly ProviderStatus[];
  readonly info: HubInfoPayload | undefined;
}
