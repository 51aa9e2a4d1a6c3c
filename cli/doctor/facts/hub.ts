import { existsSync } from 'node:fs';
import { readHttpToken } from '../../../runtime/http-token.ts';
import { type HubFile, hubAlive, readHubFile } from '../../../runtime/hub-file.ts';
import { isLoopback } from '../../../runtime/own-host.ts';
import type { Settings } from '../../settings.ts';

/** The hub of a data folder, as its hub.json and its HTTP port tell. */
export type HubFacts =
  | { readonly kind: 'none' }
  /** hub.json is no such file. */
  | { readonly kind: 'damaged' }
  /** It has ended without taking its hub.json away. */
  | { readonly kind: 'gone'; readonly file: HubFile }
  /** Its process is there, or can't be told from here, and nobody answers. */
  | { readonly kind: 'silent'; readonly file: HubFile; readonly reason: string }
  | { readonly kind: 'running'; readonly file: HubFile; readonly version: string };

/** Longest that the hub may take to answer [ms]. */
const ANSWER_WITHIN = 2_000;

/** Looks for the hub that wrote a hub.json. Never rejects. @param token of the HTTP port, which it wants where other machines reach it */
export async function lookAtHub(hubFile: string, token?: string): Promise<HubFacts> {
  const file = readHubFile(hubFile);
  if (file === undefined) return { kind: existsSync(hubFile) ? 'damaged' : 'none' };
  const liveness = await hubAlive(file);
  if (liveness === 'gone') return { kind: 'gone', file };
  // Shown only where it is asked for: another program may have taken the port meanwhile.
  const wanted = isLoopback(file.http_host ?? file.host) ? undefined : token;
  try {
    const answer = await fetch(`${httpUrl(file)}/healthz`, {
      signal: AbortSignal.timeout(ANSWER_WITHIN),
      ...(wanted !== undefined && { headers: { authorization: `Bearer ${wanted}` } }),
    });
    if (answer.status === 401) return { kind: 'silent', file, reason: WRONG_TOKEN };
    if (answer.status === 429) return { kind: 'silent', file, reason: MANY_TOKENS };
    const { ok, version } = (await answer.json()) as { ok?: unknown; version?: unknown };
    if (ok === true && typeof version === 'string') return { kind: 'running', file, version };
    return { kind: 'silent', file, reason: 'something else answers on its HTTP port' };
  } catch (error) {
    // Where its process can't be told from here, a port that refuses is the sign of its end.
    if (liveness === 'unknown' && isRefused(error)) return { kind: 'gone', file };
    const reason = isRefused(error) ? 'nothing listens on its HTTP port' : 'its HTTP port gives no answer';
    return { kind: 'silent', file, reason };
  }
}

/** The token that settings name, else the one in the data folder. One that can't be read is no token. */
export function tokenOf({ httpToken, paths }: Pick<Settings, 'httpToken' | 'paths'>): string | undefined {
  try {
    return httpToken() ?? readHttpToken(paths.httpToken);
  } catch {
    return undefined;
  }
}

const MANY_TOKENS =
  'too many wrong tokens came to its HTTP port from here, so that it listens again in a minute';
const WRONG_TOKEN = 'its HTTP port wants another token than the one that is known here';

/** Where its HTTP port is reached on this machine. */
function httpUrl({ host, http_host = host, http_port }: HubFile): string {
  const near = { '0.0.0.0': '127.0.0.1', '::': '::1' }[http_host] ?? http_host;
  return `http://${near.includes(':') ? `[${near}]` : near}:${http_port}`;
}

/** fetch hides what went wrong one level down. */
function isRefused(error: unknown): boolean {
  const cause = (error as Error).cause as NodeJS.ErrnoException | undefined;
  return cause?.code === 'ECONNREFUSED';
}
