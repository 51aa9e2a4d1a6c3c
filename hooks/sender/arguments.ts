/** What the agent's configuration, and the agent itself, have put on the command line. */
export interface SenderArguments {
  /** As written: a slug, in any case. */
  readonly provider: string;
  /** The event's name, where the agent's JSON has none (Copilot). */
  readonly event?: string;
  /** The agent's JSON, where it comes as the last argument (Codex' notify: stdin is /dev/null then). */
  readonly json?: string;
  /** Stdin holds an envelope already: another sender made it and reached nobody. */
  readonly enveloped: boolean;
}

/** A provider becomes a level of a topic, so it has to look like one; whether there is such a provider is the hub's to say. */
const PROVIDER = /^[a-z0-9_-]{1,32}$/i;
const ENVELOPED = '--envelope';

/** Reads `[--envelope] <provider> [event] [json]`. @returns `undefined` when no provider is named */
export function readArguments(argv: readonly string[]): SenderArguments | undefined {
  const rest = argv.filter((argument) => argument !== ENVELOPED);
  const [provider = '', ...others] = rest;
  if (!PROVIDER.test(provider)) return undefined;
  const last = others.at(-1);
  const json = last !== undefined && isObject(last) ? last : undefined;
  const event = others.find((argument) => argument !== '' && argument !== json);
  return {
    provider,
    ...(event !== undefined && { event }),
    ...(json !== undefined && { json }),
    enveloped: rest.length < argv.length,
  };
}

/** No event's name begins with a brace. */
function isObject(argument: string): boolean {
  return argument.trimStart().startsWith('{');
}
