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
  /** Of a table of tables: what each of them may set. */
  readonly each: readonly TableEntry[];
}

/** One thing that a table in a table may set, e.g. `topic` in `[notify.projects.shop]`. */
export interface TableEntry {
  readonly name: string;
  /** As in `ConfigKey`. */
  readonly takes: string;
}

interface JsonSchema {
  readonly type?: string;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: JsonSchema;
  readonly default?: unknown;
  readonly description?: string;
}

const ENVIRONMENT_PREFIX = 'SIGNALBOX_';

let list: readonly ConfigKey[] | undefined;

/** The setting that is the table (of tables) in which `path` lies, e.g. `providers` for `providers.aider.name`. */
export function tableAbove(path: readonly string[]): ConfigKey | undefined {
  return configKeys().find(
    (key) => key.each.length > 0 && key.path.every((name, index) => name === path[index]),
  );
}

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
    each: entriesOf(schema),
  };
}

function entriesOf({ additionalProperties: each }: JsonSchema): TableEntry[] {
  if (typeof each !== 'object') return [];
  return Object.entries(each.properties ?? {}).map(([name, own]) => ({
    name,
    takes: takes(kindOf(own), own),
  }));
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
    list:
      schema.items?.enum === undefined
        ? 'a list of texts'
        : `a list of ${schema.items.enum.map(String).join(', ')}`,
    table: 'a table',
  };
  return words[kind];
}
