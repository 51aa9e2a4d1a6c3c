import type { StatusAnswer, UsageAnswer } from '../../protocol/messages/http.ts';
import { emptySignal, type SignalPayload } from '../../protocol/messages/signal.ts';
import { usageReport } from '../../protocol/messages/usage.ts';
import type { ProviderRegistry } from '../../protocol/providers.ts';
import { readBody } from './bodies.ts';
import type { Handlers } from './handlers.ts';
import type { HttpOptions } from './http-options.ts';
import { knownProvider } from './known-provider.ts';
import { answerTagged } from './tagged.ts';
import type { UsageWindows } from './usage-windows.ts';

/** What the providers are at, and what is left of their quotas. Nobody upstream is asked. */
export function statusRoutes(
  { view, registry }: HttpOptions,
  windows: UsageWindows,
): Pick<Handlers, 'status' | 'usage' | 'reportUsage'> {
  return {
    async status(request, reply) {
      const providers = view.signals().map(({ signal: { name, attention } }) => ({ name, attention }));
      const answer: StatusAnswer = { ok: true, updated_at: newest(providers), providers };
      return answerTagged(request, reply, answer);
    },

    async usage(request, reply) {
      const providers = withWindows(view.signals(), windows, registry);
      const told = providers.map(({ windows_at }) => windows_at);
      const answer: UsageAnswer = { ok: true, updated_at: Math.max(newest(providers), ...told), providers };
      return answerTagged(request, reply, answer);
    },

    async reportUsage({ params, body }) {
      const { provider } = params as { provider: string };
      await windows.report(knownProvider(provider, registry), readBody(usageReport, body));
      return { ok: true };
    },
  };
}

function newest(providers: StatusAnswer['providers']): number {
  return Math.max(0, ...providers.map(({ attention }) => attention.updated_at));
}

/** In registry order. A provider of which only windows are known is idle. */
function withWindows(
  signals: ReturnType<HttpOptions['view']['signals']>,
  { known }: UsageWindows,
  registry: ProviderRegistry,
): UsageAnswer['providers'] {
  const all = new Map<string, SignalPayload>();
  for (const slug of known.keys()) all.set(slug, emptySignal(registry.find(slug)?.name ?? slug));
  for (const { provider, signal } of signals) all.set(provider, signal);
  return [...all]
    .sort(([a], [b]) => registry.order(a) - registry.order(b))
    .map(([provider, { name, attention }]) => {
      const usage = known.get(provider);
      return { name, attention, windows: usage?.windows ?? [], windows_at: usage?.updated_at ?? 0 };
    });
}
