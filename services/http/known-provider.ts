import { SignalboxError } from '../../protocol/errors.ts';
import type { ProviderRegistry } from '../../protocol/providers.ts';

/** The slug of a provider that somebody names, in any case. @throws SignalboxError `unknown_provider` */
export function knownProvider(name: string, registry: ProviderRegistry): string {
  const found = registry.find(name);
  if (found !== undefined) return found.slug;
  const known = registry.list.map(({ slug }) => slug).join(', ');
  throw new SignalboxError('unknown_provider', { provider: name.slice(0, 40), known });
}
