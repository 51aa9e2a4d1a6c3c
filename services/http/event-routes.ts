import { SignalboxError } from '../../protocol/errors.ts';
import { readObject } from './bodies.ts';
import type { Handlers } from './handlers.ts';
import type { HttpOptions, Verdict } from './http-options.ts';

/** In the place of a provider: a raw signal for every one. */
const EVERY_PROVIDER = 'all';

const encoder = new TextEncoder();

/** Where events come in. */
export function eventRoutes({ accept }: HttpOptions): Pick<Handlers, 'attention' | 'hook'> {
  return {
    async attention({ body }, reply) {
      // What it says of reason and time counts for nothing: the rules give the one, the hub's clock the other.
      const { provider, reason: _reason, ...event } = readObject(body);
      const payload = encoder.encode(JSON.stringify(event));
      const verdict = await accept(providerOf(provider, event), payload, { tell: false, timed: false });
      return verdict.ok ? { ok: true } : reply.code(422).send(refusal(verdict));
    },

    async hook({ params, body }, reply) {
      const payload = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
      const verdict = await accept((params as { provider: string }).provider, payload, { tell: true });
      return verdict.ok ? reply.code(204).send() : reply.code(422).send(refusal(verdict));
    },
  };
}

/** @throws SignalboxError `bad_shape` */
function providerOf(provider: unknown, event: Readonly<Record<string, unknown>>): string {
  if (typeof provider === 'string') return provider;
  if (provider === undefined && event['event'] === undefined && event['signal'] !== undefined)
    return EVERY_PROVIDER;
  throw new SignalboxError('bad_shape', { field: 'provider', expected: 'the name of an agent' });
}

function refusal({ code, message }: Exclude<Verdict, { ok: true }>): object {
  return { ok: false, error: { code, message } };
}
