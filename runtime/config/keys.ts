import { z } from 'zod';
import { configSchema } from './schema.ts';

export type KeyKind = 'text' | 'number' | 'integer' | 'boolean' | 'list' | 'table';

/** One setting. */
export interface ConfigKey {
  /** Dotted path, e.g. `state.timeouts.done`. */
  readonly key: string;
  readonly path: readonly string[];
  /** Its environment variable; a table has none. */
  readonly variable: string | undefined;
  readonly kind: KeyKind;
  readonly default: unknown;
  /** What it takes, for people: `true or false`, `a whole number from 0 to 65535`. */
  readonly takes: string;
  readonly description: string;
}

interface JsonSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly description?: string;
}

const ENVIRONMENT_PREFIX = 'SIGNALBOX_';

let list: readonly ConfigKey[] | undefined;

/** All settings in the order of the schema. */
export function configKeys(): readonly ConfigKey[] {
  list ??= keysBelow(z.toJSONSchema(configSchema, { io: 'input' }) as JsonSchema, []);
  return list;
}

function keysBelow(schema: JsonSchema, above: readonly string[]): ConfigKey[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, own]) => {
    const path = [...above, name];
    return own.properties === undefined ? [toKey(own, path)] : keysBelow(own, path);
  });
}

function toKey(schema: JsonSchema, path: readonly string[]): ConfigKey {
  const kind = kindOf(schema);
  return {
    key: path.join('.'),
    path,
    variable: kind === 'table' ? undefined : `${ENVIRONMENT_PREFIX}${path.join('_').toUpperCase()}`,
    kind,
    default: schema.default,
    takes: takes(kind, schema),
    description: schema.description ?? '',
  };
}

const KINDS: Readonly<Record<string, KeyKind>> = {
  boolean: 'boolean',
  number: 'number',
  integer: 'integer',
  array: 'list',
  object: 'table',
};

function kindOf({ type }: JsonSchema): KeyKind {
  return KINDS[type ?? ''] ?? 'text';
}

function takes(kind: KeyKind, schema: JsonSchema): string {
  if (schema.enum !== undefined) return `one of ${schema.enum.map(String).join(', ')}`;
  const { minimum, maximum } = schema;
  // zod gives every integer the bounds of the safe ones.
  const top = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? '' : ` to ${maximum}`;
  const range =
    minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER
      ? ''
      : ` from ${minimum}${top === '' ? ' up' : top}`;
  const words: Readonly<Record<KeyKind, string>> = {
    text: 'text',
    boolean: 'true or false',
    integer: `a whole number${range}`,
    number: `a number${range}`,
    list: 'a list of texts',
    table: 'a table',
  };
  return words[kind];
}
