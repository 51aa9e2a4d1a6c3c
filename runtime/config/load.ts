import { hostname as systemHostname } from 'node:os';
import type { z } from 'zod';
import { SignalboxError } from '../../protocol/errors.ts';
import { isHttpToken, TOKEN_FORM } from '../http-token.ts';
import { readBrokerUrl } from '../mqtt-url.ts';
import { type Environment, fromText, readEnvironment } from './environment.ts';
import { readConfigFile, unknownKey } from './file.ts';
import { configKeys, tableAbove } from './keys.ts';
import { DEFAULT_ORIGIN, type Origin, type Setting } from './origin.ts';
import { type Config, configSchema } from './schema.ts';
import { secretsOf } from './secrets.ts';

/** A setting from the command line. */
export interface FlagSetting {
  /** Dotted key, e.g. `broker.port`. */
  readonly key: string;
  /** The flag as typed, e.g. `--port`, for messages. */
  readonly flag: string;
  /** Text is read as in the environment; `undefined`: the flag was not given. */
  readonly value: unknown;
}

export interface LoadInput {
  /** Path of config.toml; it need not exist. */
  readonly file: string;
  readonly env: Environment;
  readonly flags?: readonly FlagSetting[];
  /** The name the system gives this machine. */
  readonly hostname?: string;
}

export interface LoadedConfig {
  /** Frozen through and through. */
  readonly config: Config;
  /** For every key of the configuration, and for each secret (`broker.password` ...) that its variable gives. */
  readonly origins: ReadonlyMap<string, Origin>;
  /** Sentences for the user; nothing is wrong enough to stop. */
  readonly warnings: readonly string[];
  /**
   * The password for the other broker, from its variable or file; never part of `config`, so that nobody prints it by accident.
   * @throws SignalboxError `config_bad_value` when the file can't be read
   */
  brokerPassword(): string | undefined;
  /**
   * The token of the HTTP port, in the same way; `undefined`: the one in the data folder counts.
   * @throws SignalboxError `config_bad_value` when the file can't be read, or what it holds is no token
   */
  httpToken(): string | undefined;
  /**
   * Token and password for the ntfy server, in the same way.
   * @throws SignalboxError `config_bad_value` when a file can't be read
   */
  notifySecrets(): NotifySecrets;
}

export interface NotifySecrets {
  readonly token?: string;
  readonly password?: string;
}

/**
 * The effective settings: file < environment < flags (spec: product, "Configuration").
 * @throws SignalboxError `config_unreadable`, `config_unknown_key`, `config_bad_value`, `password_in_url`
 */
export function loadConfig({ file, env, flags = [], hostname = systemHostname() }: LoadInput): LoadedConfig {
  const environment = readEnvironment(env);
  // The last setting of a key counts.
  const settings = new Map<string, Setting>();
  for (const setting of [...readConfigFile(file), ...environment.settings, ...readFlags(flags)]) {
    settings.set(setting.path.join('.'), setting);
  }
  const config = check(settings);
  const filled = config.host === '' ? { ...config, host: asTopicLevel(hostname) } : config;
  const origins = new Map(configKeys().map(({ key }) => [key, settings.get(key)?.origin ?? DEFAULT_ORIGIN]));
  const secrets = secretsOf(env, file, (key) => ({
    file: textAt(config, key),
    origin: origins.get(key),
  }));
  for (const [name, origin] of secrets.origins) origins.set(name, origin);
  return {
    config: freeze(filled) as Config,
    origins,
    warnings: [...environment.warnings, ...secrets.warnings],
    brokerPassword: () => secrets.read('broker.password'),
    httpToken: () => checkedToken(secrets.read('http.token'), origins),
    notifySecrets: () => {
      const [token, password] = [secrets.read('notify.token'), secrets.read('notify.password')];
      return { ...(token !== undefined && { token }), ...(password !== undefined && { password }) };
    },
  };
}

/** @throws SignalboxError `config_bad_value`, without the text itself */
function checkedToken(token: string | undefined, origins: ReadonlyMap<string, Origin>): string | undefined {
  if (token === undefined || isHttpToken(token)) return token;
  const variable = origins.get('http.token');
  const { detail = '' } = variable ?? origins.get('http.token_file') ?? {};
  throw new SignalboxError('config_bad_value', {
    key: variable === undefined ? 'http.token_file' : 'http.token',
    origin: detail,
    reason: `a token has ${TOKEN_FORM}`,
  });
}

function textAt(config: z.output<typeof configSchema>, key: string): string {
  return String(key.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], config));
}

function readFlags(flags: readonly FlagSetting[]): Setting[] {
  return flags.flatMap(({ key, flag, value }) => {
    if (value === undefined) return [];
    const known = configKeys().find((candidate) => candidate.key === key);
    if (known === undefined) throw new RangeError(`no setting is called ${key}`);
    const origin: Origin = { source: 'flag', detail: flag };
    return [typeof value === 'string' ? fromText(known, value, origin) : { path: known.path, value, origin }];
  });
}

function check(settings: ReadonlyMap<string, Setting>): z.output<typeof configSchema> {
  const input: Record<string, unknown> = {};
  for (const { path, value } of settings.values()) put(input, path, value);
  const result = configSchema.safeParse(input);
  if (!result.success) throw badValue(result.error.issues, settings);
  checkBrokerUrl(result.data.broker.url, settings.get('broker.url')?.origin ?? DEFAULT_ORIGIN);
  return result.data;
}

function put(into: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [name = '', ...below] = path;
  if (below.length === 0) into[name] = value;
  // A section that isn't a table stays as it is, for the schema to refuse.
  else if (into[name] === undefined || typeof into[name] === 'object') {
    put((into[name] ??= {}) as Record<string, unknown>, below, value);
  }
}

function badValue(
  issues: readonly z.core.$ZodIssue[],
  settings: ReadonlyMap<string, Setting>,
): SignalboxError {
  // A misspelt key often leaves another one missing; its own name says more.
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  const path = issue?.path.map(String) ?? [];
  const setting = path
    .map((_, end) => settings.get(path.slice(0, end + 1).join('.')))
    .find((found) => found !== undefined);
  const where = setting?.origin.detail ?? '';
  if (issue?.code === 'unrecognized_keys') {
    const at = path.length === 0 ? '' : `${path.join('.')}.`;
    const known = tableAbove(path)?.each.map(({ name }) => `${at}${name}`);
    return unknownKey(where, `${at}${issue.keys[0] ?? ''}`, known);
  }
  // An item of a list is told as the list.
  const list = configKeys().find(({ key, kind }) => kind === 'list' && key === path.slice(0, -1).join('.'));
  const key = list?.key ?? path.join('.');
  return new SignalboxError('config_bad_value', {
    key,
    origin: where,
    reason: reasonOf(issue, key, setting?.value),
  });
}

function reasonOf(issue: z.core.$ZodIssue | undefined, key: string, value: unknown): string {
  if (issue?.code === 'invalid_format' || issue?.code === 'custom') return `it takes ${issue.message}`;
  if (issue?.code === 'invalid_key')
    return `a name in it takes ${issue.issues[0]?.message ?? 'other characters'}`;
  const known = configKeys().find((candidate) => candidate.key === key);
  const takes = known?.takes ?? takesBelow(issue?.path.map(String) ?? []);
  // Text is not repeated, it may be a secret in the wrong place; everything else is short.
  return known === undefined || known.kind === 'text'
    ? `it takes ${takes}`
    : `it takes ${takes}, not ${shown(value)}`;
}

/** What the place at `path` takes, which is no setting: a section, or somewhere in a table of tables. */
function takesBelow(path: readonly string[]): string {
  const table = tableAbove(path);
  if (table === undefined || path.length === table.path.length + 1) return 'a table';
  return table.each.find(({ name }) => name === path.at(-1))?.takes ?? 'something else';
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).slice(0, 40);
}

function checkBrokerUrl(url: string, { detail }: Origin): void {
  const outcome = url === '' ? undefined : readBrokerUrl(url);
  if (outcome === undefined || outcome.ok) return;
  if (outcome.code === 'password_in_url') throw new SignalboxError('password_in_url');
  throw new SignalboxError('config_bad_value', { key: 'broker.url', origin: detail, reason: outcome.reason });
}

/** A machine's own name may hold anything; on the bus it is one topic level. */
function asTopicLevel(hostname: string): string {
  const level = hostname.replace(/[/+#$\p{Cc}]/gu, '-').slice(0, 64);
  return level === '' ? 'localhost' : level;
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const below of Object.values(value)) freeze(below);
    Object.freeze(value);
  }
  return value;
}
