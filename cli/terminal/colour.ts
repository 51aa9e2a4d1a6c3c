type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Whether a stream gets colours: NO_COLOR (no-color.org) goes before FORCE_COLOR, that before what the stream is; a pipe and a dumb terminal get none.
 */
export function hasColour(stream: { readonly isTTY?: boolean }, env: Environment): boolean {
  if ((env['NO_COLOR'] ?? '') !== '') return false;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return canMoveCursor(stream, env);
}

/** A terminal that understands escape sequences. */
export function canMoveCursor(stream: { readonly isTTY?: boolean }, env: Environment): boolean {
  return stream.isTTY === true && env['TERM'] !== 'dumb';
}
