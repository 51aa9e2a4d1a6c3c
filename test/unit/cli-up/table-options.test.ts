import { join } from 'node:path';
import { expect, it } from 'vitest';
import { adaptingOf, registryOf, tableOptionsOf } from '../../../cli/up/table-options.ts';
import { DEFAULT_TIMEOUTS } from '../../../protocol/expiry.ts';
import { loadConfig } from '../../../runtime/config/load.ts';
import type { Config } from '../../../runtime/config/schema.ts';
import { CONTEXT } from '../../support/adapting.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function configOf(flags: Readonly<Record<string, unknown>> = {}, env: Record<string, string> = {}): Config {
  const given = Object.entries(flags).map(([key, value]) => ({ key, flag: `--${key}`, value }));
  return loadConfig({ file: join(temporaryFolder(), 'config.toml'), env, flags: given, hostname: 'studio' })
    .config;
}

it('the defaults of the settings are those of the rules', () => {
  const options = tableOptionsOf(configOf(), CONTEXT.registry, CONTEXT.hasher, '/home/dev');
  expect(options.timeouts).toEqual(DEFAULT_TIMEOUTS);
  expect(options).toMatchObject({ rules: { background: 'all' }, names: { roots: [], names: {} }, shown: [] });
});

it('timeouts are set in seconds, 0 and fractions too', () => {
  const env = { SIGNALBOX_STATE_TIMEOUTS_DONE: '0', SIGNALBOX_STATE_TIMEOUTS_RUNNING: '1.5' };
  const { timeouts } = tableOptionsOf(configOf({}, env), CONTEXT.registry, CONTEXT.hasher, '/home/dev');
  expect(timeouts).toEqual({ ...DEFAULT_TIMEOUTS, done: 0, running: 1_500 });
});

it("a tilde stands for the user's own folder, in front of a path alone", () => {
  const config: Config = {
    ...configOf(),
    project: { roots: ['~', '~/work', '/srv/~'], names: { '~/work/shop-*': 'shop', '~other/x': 'x' } },
  };
  expect(tableOptionsOf(config, CONTEXT.registry, CONTEXT.hasher, '/home/dev').names).toEqual({
    roots: ['/home/dev', '/home/dev/work', '/srv/~'],
    names: { '/home/dev/work/shop-*': 'shop', '~other/x': 'x' },
  });
});

it('providers of the settings are known and shown from the start', () => {
  const config: Config = { ...configOf(), providers: { aider: { name: 'Aider' } } };
  const registry = registryOf(config);
  expect(registry.find('AIDER')).toMatchObject({ slug: 'aider', name: 'Aider' });
  expect(tableOptionsOf(config, registry, CONTEXT.hasher, '/home/dev').shown).toEqual(['aider']);
  expect(adaptingOf(config, registry, CONTEXT.hasher)).toMatchObject({
    host: 'studio',
    questions: true,
    titles: false,
  });
});
