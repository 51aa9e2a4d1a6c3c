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
  /** A program with its arguments, the agent's JSON the last, that the agent would run if we were not there (Codex' notify has one slot). */
  readonly chained?: readonly [string, ...string[]];
}

/** A provider becomes a level of a topic, so it has to look like one; whether there is such a provider is the hub's to say. */
const PROVIDER = /^[a-z0-9_-]{1,32}$/i;
const ENVELOPED = '--envelope';
/** Codex' notify calls with this in the place of a slug; behind `--` stands the program that was there before. */
const NOTIFY = 'codex-notify';
const CHAIN = '--';

/** Reads `[--envelope] <provider> [event] [json]` and `codex-notify [-- program...] json`. @returns `undefined` when no provider is named */
export function readArguments(argv: readonly string[]): SenderArguments | undefined {
  if (argv[0] === NOTIFY) return notifyArguments(argv.slice(1));
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

function notifyArguments(words: readonly string[]): SenderArguments {
  const json = words.at(-1);
  const [program, ...more] = words[0] === CHAIN ? words.slice(1) : [];
  return {
    provider: 'codex',
    ...(json !== undefined && isObject(json) && { json }),
    enveloped: false,
    ...(program !== undefined && more.length > 0 && { chained: [program, ...more] as const }),
  };
}

/** No event's name begins with a brace. */
function isObject(argument: string): boolean {
  return argument.trimStart().startsWith('{');
}
