import type { z } from 'zod';
import { explainData } from '../../protocol/messages/explain.ts';
import { attentionBody, nativeHook } from '../../protocol/messages/hook.ts';
import {
  doneAnswer,
  healthAnswer,
  sessionsAnswer,
  statusAnswer,
  usageAnswer,
  wordBody,
} from '../../protocol/messages/http.ts';
import { statsData } from '../../protocol/messages/stats.ts';
import { usageReport } from '../../protocol/messages/usage.ts';
import { clearedData, pausesData, waitsData } from '../../protocol/messages/words.ts';

/** One route: what it takes and answers. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** As Fastify writes it. */
  readonly path: string;
  readonly summary: string;
  /** Only for whoever shows the token, also on this machine. */
  readonly operator?: true;
  readonly body?: z.ZodType;
  /** Parameters behind the question mark, with their meaning. */
  readonly query?: Readonly<Record<string, string>>;
  readonly answer: {
    readonly status: 200 | 204;
    readonly description: string;
    /** Of JSON. */
    readonly schema?: z.ZodType;
    /** Of what is not JSON, its content type. */
    readonly type?: string;
  };
  /** What it is refused with beside what every route is, and why. */
  readonly refused?: Readonly<Record<number, string>>;
}

const EVENT_REFUSED = {
  422: 'The event is refused; nothing has changed.',
  503: 'It could not be written. Send it again.',
};
const ASK_REFUSED = {
  404: 'No session fits.',
  409: 'More than one session fits.',
  422: 'The request is not as it should be.',
  429: 'The hub has more requests than it answers at once.',
  503: 'The bus or the disk does not answer.',
};

function word(path: string, summary: string, schema: z.ZodObject): Route {
  return {
    method: 'POST',
    path,
    summary,
    operator: true,
    body: wordBody,
    answer: { status: 200, description: 'Done, and on disk.', schema: doneAnswer.extend(schema.shape) },
    refused: ASK_REFUSED,
  };
}

/** Every route of the HTTP interface but `/openapi.json`, which is made of them, and `/mqtt` (spec: consumers, section 1). */
export const ROUTES = {
  attention: {
    method: 'POST',
    path: '/attention',
    summary: 'Takes an event or a raw signal that is written by hand. A reason and times in it say nothing.',
    body: attentionBody,
    answer: { status: 200, description: 'It is on disk.', schema: doneAnswer },
    refused: EVENT_REFUSED,
  },
  hook: {
    method: 'POST',
    path: '/hook/:provider',
    summary:
      "Takes an agent's own hook JSON, or whatever else `hook/<provider>` takes on the bus. Up to 16 MB.",
    body: nativeHook,
    answer: { status: 204, description: 'It is on disk.' },
    refused: EVENT_REFUSED,
  },
  status: {
    method: 'GET',
    path: '/status',
    summary: 'What the providers are at, idle ones too. Has an ETag.',
    answer: { status: 200, description: 'Every provider that has a signal.', schema: statusAnswer },
  },
  usage: {
    method: 'GET',
    path: '/usage',
    summary: "The same with the providers' quota windows. Has an ETag.",
    answer: { status: 200, description: 'Every provider with a signal or windows.', schema: usageAnswer },
  },
  reportUsage: {
    method: 'POST',
    path: '/usage/:provider',
    summary: "Takes a provider's quota windows from a script.",
    body: usageReport,
    answer: { status: 200, description: 'They are shown.', schema: doneAnswer },
    refused: { 422: 'The report is not as it should be.', 503: 'The bus does not answer.' },
  },
  sessions: {
    method: 'GET',
    path: '/sessions',
    summary: 'The table, as `signalbox sessions --json` prints it. Has an ETag.',
    query: { all: '`true`: idle sessions too.' },
    answer: { status: 200, description: 'Those that need the user first.', schema: sessionsAnswer },
  },
  explain: {
    method: 'GET',
    path: '/sessions/:key/explain',
    summary:
      'Why a session is what it is, as `signalbox explain --json` prints it. The key: any beginning of it or of the session id that fits one session alone.',
    query: { provider: "Only this provider's sessions." },
    answer: { status: 200, description: 'Evidence, age and rule.', schema: explainData },
    refused: ASK_REFUSED,
  },
  stats: {
    method: 'GET',
    path: '/stats',
    summary: 'How long agents waited for you, as `signalbox stats --json` prints it.',
    query: { days: 'How many days, today among them; 7 when left out.' },
    answer: { status: 200, description: 'By day, project and reason.', schema: statsData },
    refused: ASK_REFUSED,
  },
  ack: word('/ack', 'You know what waits: it counts no more, until a new request.', waitsData),
  snooze: word('/snooze', 'What waits alerts again later, in 10 minutes or `minutes`.', waitsData),
  pause: word('/pause', 'Lamps `paused` and no alerts, for `minutes` or until `/resume`.', pausesData),
  resume: word('/resume', 'Ends a pause.', pausesData),
  clear: word('/clear', 'Removes a session, or those of a provider, or all of them.', clearedData),
  healthz: {
    method: 'GET',
    path: '/healthz',
    summary: 'Answers while the hub runs.',
    answer: { status: 200, description: 'It runs.', schema: healthAnswer },
  },
  metrics: {
    method: 'GET',
    path: '/metrics',
    summary: 'Counters for Prometheus.',
    answer: { status: 200, description: "Prometheus' text format.", type: 'text/plain' },
  },
} as const satisfies Readonly<Record<string, Route>>;

export type RouteName = keyof typeof ROUTES;
