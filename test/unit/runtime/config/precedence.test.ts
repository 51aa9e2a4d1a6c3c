import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { stringify } from 'smol-toml';
import { expect, it } from 'vitest';
import { effectiveSettings } from '../../../../runtime/config/effective.ts';
import { type ConfigKey, configKeys } from '../../../../runtime/config/keys.ts';
import { type FlagSetting, loadConfig } from '../../../../runtime/config/load.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const word = fc.stringMatching(/^[a-z]{1,12}$/);
const slug = word.filter((text) => text !== 'all');
const topic = word.filter((text) => !['docs', 'static', 'file', 'app', 'login', 'signup'].includes(text));
const web = fc.constantFrom('https://a.example', 'http://127.0.0.1:80/b/', 'https://c');
const time = fc.constantFrom('00:00', '07:05', '23:59');
const rule = fc.record(
  { enabled: fc.boolean(), priority: fc.integer({ min: 1, max: 5 }), topic },
  { requiredKeys: [] },
);

/** Settings that want a form of their own. */
const FORMS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  'broker.url': fc.constantFrom('mqtt://a', 'mqtts://b:1', 'ws://c/d'),
  providers: fc.dictionary(slug, fc.record({ name: word })),
  'notify.server': web,
  'notify.click': web,
  'notify.topic': topic,
  'notify.on': fc.subarray(['needs_user', 'error', 'done'], { minLength: 1 }),
  'notify.quiet_hours.from': time,
  'notify.quiet_hours.to': time,
  'notify.providers': fc.dictionary(slug, rule),
  'notify.projects': fc.dictionary(word, rule),
};

/** Values that a setting takes; distinct enough that the origin of one can be told. */
function valueFor({ key, kind, takes }: ConfigKey): fc.Arbitrary<unknown> {
  const form = FORMS[key];
  if (form !== undefined) return form;
  const words = /^one of (.*)$/.exec(takes)?.[1]?.split(', ');
  if (words !== undefined) return fc.constantFrom(...words);
  const top = Number(/ to (\d+)$/.exec(takes)?.[1] ?? 1e6);
  const byKind: Record<ConfigKey['kind'], fc.Arbitrary<unknown>> = {
    text: word,
    integer: fc.integer({ min: 1, max: Math.min(top, 65535) }),
    number: fc.oneof(
      fc.integer({ min: 0, max: top }),
      fc.integer({ min: 0, max: Math.min(top, 1000) }).map((n) => n / 4),
    ),
    boolean: fc.boolean(),
    list: fc.array(word, { minLength: 1, maxLength: 3 }),
    table: fc.dictionary(word, word),
  };
  return byKind[kind];
}

type Source = 'file' | 'environment' | 'flag';
type Layer = Partial<Record<Source, unknown>>;

const asText = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value));

const layers = fc.record(
  Object.fromEntries(
    configKeys().map((key) => {
      const value = valueFor(key);
      const sources: Record<string, fc.Arbitrary<unknown>> = { file: value };
      if (key.variable !== undefined) Object.assign(sources, { environment: value, flag: value });
      return [key.key, fc.record(sources, { requiredKeys: [] })];
    }),
  ),
) as fc.Arbitrary<Record<string, Layer>>;

it('a flag goes before a variable, a variable before the file, the file before the default: for every setting', () => {
  const file = join(temporaryFolder(), 'config.toml');
  fc.assert(
    fc.property(layers.filter(bothOrNeither), (given) => {
      rmSync(file, { force: true });
      const toml: Record<string, unknown> = {};
      const env: Record<string, string> = {};
      const flags: FlagSetting[] = [];
      for (const { key, path, variable } of configKeys()) {
        const layer = given[key] ?? {};
        if ('file' in layer) put(toml, path, layer.file);
        if ('environment' in layer) env[variable ?? ''] = asText(layer.environment);
        if ('flag' in layer) flags.push({ key, flag: `--${key}`, value: layer.flag });
      }
      writeFileSync(file, stringify(toml));
      const loaded = loadConfig({ file, env, flags, hostname: 'desk' });
      for (const { key, value, origin } of effectiveSettings(loaded)) {
        const layer = given[key] ?? {};
        const source = (['flag', 'environment', 'file'] as const).find((candidate) => candidate in layer);
        const fallback = key === 'host' ? 'desk' : configKeys().find((known) => known.key === key)?.default;
        expect({ key, value, source: origin.source }).toEqual({
          key,
          value: source === undefined ? fallback : layer[source],
          source: source ?? 'default',
        });
      }
      expect(loaded.warnings.filter((warning) => warning.includes('means nothing'))).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

/** Quiet hours with one end only are refused, so they are no settings to compare. */
function bothOrNeither(given: Record<string, Layer>): boolean {
  const isSet = (end: string): boolean => Object.keys(given[`notify.quiet_hours.${end}`] ?? {}).length > 0;
  return isSet('from') === isSet('to');
}

function put(into: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [name = '', ...below] = path;
  if (below.length === 0) into[name] = value;
  else put((into[name] ??= {}) as Record<string, unknown>, below, value);
}

it('any text in any variable gives settings or one clear error', () => {
  const variables = configKeys().flatMap(({ variable }) => variable ?? []);
  const file = join(temporaryFolder(), 'config.toml');
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...variables), fc.string({ unit: 'binary' })), (env) => {
      expect(outcome(file, env)).toMatch(/^(?:loaded|config_bad_value|password_in_url)$/);
    }),
  );
});

function outcome(file: string, env: Record<string, string>): string {
  try {
    loadConfig({ file, env });
    return 'loaded';
  } catch (error) {
    return String((error as { code?: string }).code);
  }
}
