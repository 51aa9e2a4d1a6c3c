import { type ConfigKey, configKeys, type KeyKind } from './keys.ts';
import { nearest } from './nearest.ts';
import type { Origin, Setting } from './origin.ts';
import { SECRETS } from './secrets.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Variables with a meaning of their own: the folder of everything, a background session's id, a replay's switch. */
const RESERVED: ReadonlySet<string> = new Set([
  'SIGNALBOX_HOME',
  'SIGNALBOX_JOB_ID',
  'SIGNALBOX_REPLAY_SOURCES',
]);

/** Names that settings go by besides their own (spec: product, "Configuration"); the own name goes before. */
const ALIASES: Readonly<Record<string, string>> = {
  'state.timeouts.completed': 'AGENT_SIGNAL_LIGHT_COMPLETED_TTL_SECONDS',
};

/** Reads the settings of the environment. A variable that is empty counts as not set. */
export function readEnvironment(env: Environment): {
  readonly settings: readonly Setting[];
  readonly warnings: readonly string[];
} {
  const settings = configKeys().flatMap((key) => {
    const variable = [key.variable, ALIASES[key.key]].find((name) => name !== undefined && isSet(env, name));
    if (variable === undefined) return [];
    return [fromText(key, env[variable] ?? '', { source: 'environment', detail: variable })];
  });
  return { settings, warnings: unknownVariables(env) };
}

/** A setting from text, as a variable or a flag gives it. Text that is not of the setting's type stays text, for the schema to refuse. */
export function fromText({ path, kind }: ConfigKey, text: string, origin: Origin): Setting {
  return { path, value: PARSERS[kind](text), origin };
}

const TRUE = /^(?:true|yes|on|1)$/i;
const FALSE = /^(?:false|no|off|0)$/i;
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;

const number = (text: string): unknown => (NUMBER.test(text.trim()) ? Number(text) : text);

const PARSERS: Readonly<Record<KeyKind, (text: string) => unknown>> = {
  text: (text) => text,
  number,
  integer: number,
  boolean: (text) => (TRUE.test(text.trim()) ? true : FALSE.test(text.trim()) ? false : text),
  list: (text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  table: (text) => text,
};

function isSet(env: Environment, name: string): boolean {
  return (env[name] ?? '') !== '';
}

/** One sentence for each variable that looks like ours and isn't. Its value is not repeated: it may be a secret. */
function unknownVariables(env: Environment): string[] {
  const known = [
    ...configKeys().flatMap(({ variable }) => variable ?? []),
    ...SECRETS.map(({ variable }) => variable),
  ];
  return Object.keys(env)
    .filter((name) => name.startsWith('SIGNALBOX_') && !known.includes(name) && !RESERVED.has(name))
    .sort()
    .map((name) => `The variable ${name} means nothing to Signalbox. Did you mean ${nearest(name, known)}?`);
}
