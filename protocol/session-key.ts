/** Topic level and key of a session: the first 12 hex digits of SHA-256(host NUL session_id) (spec: bus, below the topic table). */
export function sessionKey(host: string, session: string, sha256: (text: string) => string): string {
  return sha256(`${host}\0${session}`).slice(0, 12);
}

/** The table's id of a session. */
export function sessionId(provider: string, key: string): string {
  return `${provider} ${key}`;
}

/** Tells a session's id in the table from a provider's slug, which has no blank. */
export function isSessionId(id: string): boolean {
  return id.includes(' ');
}
