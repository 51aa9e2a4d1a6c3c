import type { z } from 'zod';
import { SignalboxError } from '../../protocol/errors.ts';
import { explainData } from '../../protocol/messages/explain.ts';
import { wordBody } from '../../protocol/messages/http.ts';
import type { Command, Requester } from '../../protocol/messages/request.ts';
import { statsData } from '../../protocol/messages/stats.ts';
import { byUrgency } from '../../protocol/urgency.ts';
import { Asker } from '../../runtime/asker.ts';
import { readBody } from './bodies.ts';
import type { Handler, Handlers } from './handlers.ts';
import type { HttpOptions } from './http-options.ts';
import { knownProvider } from './known-provider.ts';
import { answerTagged } from './tagged.ts';

const READER: Requester = { role: 'viewer', how: 'http' };
const OPERATOR: Requester = { role: 'operator', how: 'http' };

/** The table, and what is asked of the hub on the bus, as the commands ask it. */
export function sessionRoutes({
  view,
  link,
  clock,
  registry,
}: HttpOptions): Pick<
  Handlers,
  'sessions' | 'explain' | 'stats' | 'ack' | 'snooze' | 'pause' | 'resume' | 'clear'
> {
  const asker = new Asker({ link, clock, where: () => 'the bus' });

  function slugOf(provider: unknown): string | undefined {
    return typeof provider === 'string' ? knownProvider(provider, registry) : undefined;
  }

  function word(command: Command): Handler {
    return async ({ body }) => {
      const { provider, session, minutes } = readBody(wordBody, isEmpty(body) ? EMPTY_OBJECT : body);
      const data = await asker.ask(command, { provider: slugOf(provider), session, minutes, by: OPERATOR });
      return { ok: true, ...(data as object) };
    };
  }

  return {
    async sessions(request, reply) {
      const { all } = request.query as { all?: string };
      const sessions = view
        .sessions()
        .filter(({ state }) => all === 'true' || state !== 'idle')
        .sort(byUrgency);
      return answerTagged(request, reply, { sessions });
    },

    async explain({ params, query }) {
      const { key } = params as { key: string };
      const { provider } = query as { provider?: string };
      const asked = { session: key, provider: slugOf(provider), by: READER };
      return told(explainData, await asker.ask('explain', asked));
    },

    async stats({ query }) {
      const { days } = query as { days?: unknown };
      const asked = days === undefined ? {} : { days: wholeNumber(days) };
      return told(statsData, await asker.ask('stats', { ...asked, by: READER }));
    },

    ack: word('ack'),
    snooze: word('snooze'),
    pause: word('pause'),
    resume: word('resume'),
    clear: word('clear'),
  };
}

/** @throws SignalboxError `unexpected` */
function told<T>(schema: z.ZodType<T>, data: unknown): T {
  const answer = schema.safeParse(data);
  if (answer.success) return answer.data;
  throw new SignalboxError('unexpected', { reason: 'the hub answers in a form that is not known' });
}

/** As it stands in a query; what is none the hub refuses. */
function wholeNumber(text: unknown): number {
  return typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

/** A word about everything has nothing to say in its body. */
const EMPTY_OBJECT = Buffer.from('{}');

function isEmpty(body: unknown): boolean {
  return !Buffer.isBuffer(body) || body.length === 0;
}
