import type { Origin } from './origin.ts';
import { readSecret, type SecretFile, secretFileWarnings } from './secret-file.ts';

/**
 * What is no setting, because a secret has no place in a file that is shown and shared: each has a variable, and a setting that names a file.
 */
export const SECRETS = [
  { name: 'broker.password', variable: 'SIGNALBOX_BROKER_PASSWORD', fileKey: 'broker.password_file' },
  { name: 'http.token', variable: 'SIGNALBOX_HTTP_TOKEN', fileKey: 'http.token_file' },
  { name: 'notify.token', variable: 'SIGNALBOX_NOTIFY_TOKEN', fileKey: 'notify.token_file' },
  { name: 'notify.password', variable: 'SIGNALBOX_NOTIFY_PASSWORD', fileKey: 'notify.password_file' },
] as const;

export type SecretName = (typeof SECRETS)[number]['name'];

/** Reads secrets when they are asked for. */
export interface Secrets {
  /** From its variable, else from its file; undefined when neither is set. @throws SignalboxError `config_bad_value` when the file can't be read */
  read(name: SecretName): string | undefined;
  /** Where a secret comes from that its variable gives. */
  readonly origins: ReadonlyMap<string, Origin>;
  /** Sentences about files that others can read. */
  readonly warnings: readonly string[];
}

/** @param fileOf the value of a setting that names a file */
export function secretsOf(
  env: Readonly<Record<string, string | undefined>>,
  configFile: string,
  fileOf: (key: string) => { readonly file: string; readonly origin: Origin | undefined },
): Secrets {
  const sources = SECRETS.map(({ name, variable, fileKey }) => {
    const file: SecretFile = { key: fileKey, configFile, ...fileOf(fileKey) };
    return { name, variable, file, inVariable: env[variable] || undefined };
  });
  return {
    read(name) {
      const source = sources.find((candidate) => candidate.name === name);
      return source && (source.inVariable ?? readSecret(source.file));
    },
    origins: new Map(
      sources
        .filter(({ inVariable }) => inVariable !== undefined)
        .map(({ name, variable }) => [name, { source: 'environment', detail: variable }]),
    ),
    warnings: sources.flatMap(({ file }) => secretFileWarnings(file)),
  };
}
