import { adapt } from '../../protocol/adapters/adapt.ts';
import type { CanonicalEvent } from '../../protocol/events.ts';
import { createProviderRegistry } from '../../protocol/providers.ts';
import { createHasher, loadDigestKey } from '../../runtime/digest.ts';
import type { Paths } from '../../runtime/paths.ts';
import { spool } from '../../runtime/spool.ts';

/** What adapters derive a session's id from, when the agent gives none, is the hub's name: so that is the hub's to do. */
const DERIVED_SESSION = 'cwd-';

export interface Moments {
  /** When the sender was started, unix ms with fractions. */
  readonly started: number;
  /** The same for this moment. */
  readonly now: number;
}

/**
 * Cuts an event that reached nobody down to the allow-list and leaves it in the spool. What the adapter refuses is dropped: the hub would refuse it too.
 * @param payload the envelope
 * @throws SignalboxError `digest_key_damaged`, `folder_unusable`, or the file system's own error
 */
export function keep(
  payload: readonly Uint8Array[],
  provider: string,
  paths: Paths,
  { started, now }: Moments,
): void {
  const event = cutDownHere(Buffer.concat(payload).toString(), provider, paths.digestKey, now);
  if (event === undefined) return;
  // Of our own events more is known than the millisecond; another sender's envelope has a moment of its own.
  const at = event.sent_at === Math.floor(started) ? started : (event.sent_at ?? now);
  spool(paths.spool, JSON.stringify(event), { at: at * 1000, now: now * 1000 });
}

function cutDownHere(
  payload: string,
  provider: string,
  digestKey: string,
  now: number,
): CanonicalEvent | undefined {
  const { hmac } = createHasher(loadDigestKey(digestKey));
  const adapted = adapt(
    { provider, payload, received: Math.ceil(now) },
    {
      registry: registryWith(provider),
      hasher: { hmac, sha256: () => '' },
      host: '',
      questions: true,
      titles: false,
    },
  );
  if (!adapted.ok) return undefined;
  const { session_id, ...event } = adapted.event;
  return session_id === undefined || session_id === DERIVED_SESSION ? event : { ...event, session_id };
}

/** Settings may add providers, and the sender reads no settings: the hub refuses those that nobody added. */
function registryWith(provider: string): ReturnType<typeof createProviderRegistry> {
  const builtIn = createProviderRegistry();
  if (builtIn.find(provider) !== undefined) return builtIn;
  return createProviderRegistry([{ slug: provider.toLowerCase(), name: provider }]);
}
