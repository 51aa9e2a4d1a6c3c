import { Agent, type Dispatcher, request } from 'undici';

/** Where messages go, and as whom. */
export interface NtfyServer {
  /** Base address; a path in it is kept. */
  readonly server: string;
  /** Access token (`tk_...`); goes before name and password. */
  readonly token?: string;
  readonly username?: string;
  readonly password?: string;
}

/** A message as the server takes it (docs.ntfy.sh, "Publish as JSON"). Durations are in seconds. */
export interface NtfyMessage {
  readonly topic: string;
  readonly title: string;
  readonly message: string;
  /** 1 to 5. */
  readonly priority: number;
  readonly tags: readonly string[];
  readonly click?: string;
  /** An update of the same id replaces what is on the phone. */
  readonly sequence_id?: string;
  /** Delivered this much later, e.g. `600s`; 10 s to 3 days. */
  readonly delay?: string;
}

/** Why it did not work, in one word. */
export type NtfyFault =
  | 'unreachable'
  | 'timeout'
  | 'rate_limited'
  | 'daily_limit'
  | 'server_error'
  | 'garbage'
  | 'not_authorised'
  | 'refused'
  | 'too_large'
  | 'not_supported';

export type NtfyOutcome =
  /** `replaces`: the server knows sequence ids (2.16 and newer). */
  | { readonly ok: true; readonly replaces: boolean }
  | {
      readonly ok: false;
      readonly fault: NtfyFault;
      /** Trying again may help. */
      readonly retry: boolean;
      /** HTTP status and the server's own code, where it has answered. */
      readonly status?: number;
      readonly code?: number;
    };

/** The one wrapper round undici: what it can do, and nothing of HTTP. None of it rejects. */
export interface NtfyClient {
  publish(message: NtfyMessage): Promise<NtfyOutcome>;
  /**
   * Has the server taken this very message, as the newest of its sequence? For an attempt of which no answer was heard.
   * @param since unix s; `undefined`: it does not say, e.g. to whoever may only write
   */
  holds(message: NtfyMessage, since: number): Promise<boolean | undefined>;
  /** Takes a message off the phone: it is read. `not_supported`: the server is older than 2.16. */
  clear(topic: string, sequenceId: string): Promise<NtfyOutcome>;
  /** Takes back a scheduled message, and what is on the phone. */
  cancel(topic: string, sequenceId: string): Promise<NtfyOutcome>;
  /** Does it answer, and as an ntfy server? */
  health(): Promise<NtfyOutcome>;
  close(): Promise<void>;
}

/** Longest that a request may take in all [ms]. */
const ANSWER_WITHIN = 10_000;
/** No answer of an ntfy server is longer [bytes]. */
const LONGEST_ANSWER = 64 * 1024;

/** ntfy's own codes (its `server/errors.go`): messages of this day are used up. */
const DAILY_LIMIT = 42908;

/** @param withinMs for tests: the longest that an answer may take */
export function createNtfyClient(server: NtfyServer, withinMs = ANSWER_WITHIN): NtfyClient {
  const base = server.server.replace(/\/+$/, '');
  const authorization = authorizationOf(server);
  const dispatcher = new Agent({
    connect: { timeout: withinMs },
    headersTimeout: withinMs,
    bodyTimeout: withinMs,
    maxResponseSize: LONGEST_ANSWER,
  });

  async function ask(
    method: Dispatcher.HttpMethod,
    path: string,
    body?: NtfyMessage,
  ): Promise<{ status: number; text: string } | NtfyOutcome> {
    try {
      const answer = await request(`${base}${path}`, {
        dispatcher,
        method,
        signal: AbortSignal.timeout(withinMs),
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(authorization !== undefined && { authorization }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      // Always to the end: a body that nobody reads keeps its connection.
      return { status: answer.statusCode, text: await answer.body.text() };
    } catch (error) {
      return { ok: false, fault: faultOfError(error), retry: true };
    }
  }

  return {
    // The root takes JSON: headers could carry no name beyond Latin-1.
    async publish(message) {
      const answer = await ask('POST', '/', message);
      if ('ok' in answer) return answer;
      if (answer.status !== 200) return faultOf(answer);
      const stored = parsed(answer.text);
      if (stored?.['event'] !== 'message') return { ok: false, fault: 'garbage', retry: true, status: 200 };
      const { sequence_id: wanted } = message;
      return { ok: true, replaces: wanted !== undefined && stored['sequence_id'] === wanted };
    },
    async holds({ topic, sequence_id, title, message }, since) {
      const answer = await ask('GET', `/${topic}/json?poll=1&sched=1&since=${since}`);
      if ('ok' in answer || answer.status !== 200) return undefined;
      const events = answer.text.split('\n').map((line) => parsed(line));
      const last = events.findLast(
        (event) => sequence_id !== undefined && event?.['sequence_id'] === sequence_id,
      );
      return last?.['event'] === 'message' && last['title'] === title && last['message'] === message;
    },
    async clear(topic, sequenceId) {
      return done(await ask('PUT', `/${topic}/${sequenceId}/clear`));
    },
    async cancel(topic, sequenceId) {
      return done(await ask('DELETE', `/${topic}/${sequenceId}`));
    },
    async health() {
      const answer = await ask('GET', '/v1/health');
      if ('ok' in answer) return answer;
      if (answer.status !== 200) return faultOf(answer);
      if (typeof parsed(answer.text)?.['healthy'] === 'boolean') return { ok: true, replaces: false };
      return { ok: false, fault: 'garbage', retry: true, status: 200 };
    },
    // Not `close`: that would wait for a server that does not answer.
    close: () => dispatcher.destroy(),
  };
}

function authorizationOf({ token, username = '', password = '' }: NtfyServer): string | undefined {
  if (token !== undefined) return `Bearer ${token}`;
  if (username === '') return undefined;
  return `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;
}

function faultOfError(error: unknown): NtfyFault {
  const { name, code = '' } = error as { name?: string; code?: string };
  if (name === 'TimeoutError' || /^UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT$/.test(code)) return 'timeout';
  return code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE' ? 'garbage' : 'unreachable';
}

function done(answer: { status: number; text: string } | NtfyOutcome): NtfyOutcome {
  if ('ok' in answer) return answer;
  const { status } = answer;
  // 405 and 501 are a proxy's way of saying that it passes on no PUT and no DELETE.
  if (status === 404 || status === 405 || status === 501)
    return { ok: false, fault: 'not_supported', retry: false, status };
  if (status !== 200) return faultOf(answer);
  const kind = parsed(answer.text)?.['event'];
  return typeof kind === 'string'
    ? { ok: true, replaces: true }
    : { ok: false, fault: 'garbage', retry: true, status: 200 };
}

/** What an answer means that is not 200. What is our own fault is never tried again: persistent refusals can get an address banned. */
function faultOf({ status, text }: { status: number; text: string }): NtfyOutcome {
  const found = parsed(text)?.['code'];
  const code = typeof found === 'number' ? found : undefined;
  const fault = wordFor(status, code);
  // 408 and 425 are a proxy's way of saying "again".
  const retry = status === 429 || status >= 500 || status === 408 || status === 425;
  return { ok: false, fault, retry, status, ...(code !== undefined && { code }) };
}

function wordFor(status: number, code: number | undefined): NtfyFault {
  if (code === DAILY_LIMIT) return 'daily_limit';
  if (status === 429) return 'rate_limited';
  if (status === 401 || status === 403) return 'not_authorised';
  if (status === 413) return 'too_large';
  return status >= 500 ? 'server_error' : 'refused';
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
