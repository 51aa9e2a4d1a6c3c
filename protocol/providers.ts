/** A coding agent that reports to the bus. */
export interface Provider {
  /** Topic level and key: `[a-z0-9_-]{1,32}`. */
  readonly slug: string;
  /** Name for people. */
  readonly name: string;
}

/** Built in, in registry order: surfaces list providers in this order (spec: state, section 2). */
export const BUILT_IN_PROVIDERS: readonly Provider[] = [
  { slug: 'claude', name: 'Claude' },
  { slug: 'codex', name: 'Codex' },
  { slug: 'gemini', name: 'Gemini' },
  { slug: 'cursor', name: 'Cursor' },
  { slug: 'copilot', name: 'Copilot' },
  { slug: 'opencode', name: 'OpenCode' },
  { slug: 'codebuddy', name: 'CodeBuddy' },
  { slug: 'qwen', name: 'Qwen' },
  { slug: 'amp', name: 'Amp' },
];

/** Always shown, idle or never heard of (spec: bus, below the topic table). */
export const ALWAYS_SHOWN: readonly string[] = ['claude', 'codex'];

const SLUG = /^[a-z0-9_-]{1,32}$/;

/** True for a slug that a provider may have; `all` is the topic of the overall lamp. */
export function isProviderSlug(text: string): boolean {
  return SLUG.test(text) && text !== 'all';
}

/** The known providers, built in and added by settings. */
export interface ProviderRegistry {
  readonly list: readonly Provider[];
  /** Finds a provider by slug or name, in any case; `undefined` when there is none: no phantom provider ever appears. */
  find(text: string): Provider | undefined;
  /** Position in registry order; providers that aren't known come last. */
  order(slug: string): number;
}

/**
 * Builds the registry from the built-in providers and what settings add.
 * @param added slugs must pass `isProviderSlug`; one that is built in only renames it
 */
export function createProviderRegistry(added: readonly Provider[] = []): ProviderRegistry {
  const bySlug = new Map(BUILT_IN_PROVIDERS.map((provider) => [provider.slug, provider]));
  for (const provider of added) if (isProviderSlug(provider.slug)) bySlug.set(provider.slug, provider);
  const list = [...bySlug.values()];
  const byText = new Map<string, Provider>();
  for (const provider of list) byText.set(provider.name.toLowerCase(), provider);
  for (const provider of list) byText.set(provider.slug, provider);
  const positions = new Map(list.map((provider, index) => [provider.slug, index]));
  return {
    list,
    find: (text) => byText.get(text.toLowerCase()),
    order: (slug) => positions.get(slug) ?? list.length,
  };
}
