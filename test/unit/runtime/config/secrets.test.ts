import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { effectiveSettings } from '../../../../runtime/config/effective.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { load } from './load-settings.ts';

const CANARY = 'tk_canary0canary0canary0canary0';

describe.each([
  { word: 'token', variable: 'SIGNALBOX_NOTIFY_TOKEN', setting: 'token_file', name: 'notify.token' },
  {
    word: 'password',
    variable: 'SIGNALBOX_NOTIFY_PASSWORD',
    setting: 'password_file',
    name: 'notify.password',
  },
] as const)('the $word of the ntfy server', ({ word, variable, setting, name }) => {
  const fileVariable = `SIGNALBOX_NOTIFY_${setting.toUpperCase()}`;

  it('comes from its variable, and is shown to nobody', () => {
    const loaded = load({ env: { [variable]: CANARY } });
    expect(loaded.notifySecrets()).toEqual({ [word]: CANARY });
    const shown = effectiveSettings(loaded);
    expect(shown).toContainEqual({
      key: name,
      value: '(set)',
      origin: { source: 'environment', detail: variable },
    });
    expect(JSON.stringify([shown, loaded.config, [...loaded.origins], loaded.warnings])).not.toContain(
      CANARY,
    );
  });

  it('comes from its file, and one that others can read is told', () => {
    const file = join(temporaryFolder(), 'secret');
    writeFileSync(file, `${CANARY}\nnot this\n`, { mode: 0o600 });
    expect(load({ env: { [fileVariable]: file } })).toMatchObject({ warnings: [] });
    expect(load({ env: { [fileVariable]: file } }).notifySecrets()).toEqual({ [word]: CANARY });
    expect(load({ env: { [fileVariable]: file, [variable]: 'first' } }).notifySecrets()).toEqual({
      [word]: 'first',
    });
    chmodSync(file, 0o640);
    expect(load({ env: { [fileVariable]: file } }).warnings).toEqual([
      expect.stringContaining(`Others can read the ${word} in`),
    ]);
  });

  it('is told to be missing when its file is empty or not there', () => {
    const file = join(temporaryFolder(), 'secret');
    const read = () => load({ env: { [fileVariable]: file } }).notifySecrets();
    expect(read).toThrow(
      expect.objectContaining({
        code: 'config_bad_value',
        message: expect.stringMatching(new RegExp(`"notify\\.${setting}".*can't be read \\(ENOENT\\)`)),
      }),
    );
    writeFileSync(file, '\n', { mode: 0o600 });
    expect(read).toThrow(
      expect.objectContaining({ message: expect.stringContaining(`has no ${word} in its first line`) }),
    );
  });
});

it.each([['\0'], ['a\0b'], ['x'.repeat(5000)], ['/dev/null/x']])(
  'a file name that is none (%j) is told when the secret is read, not before',
  (name) => {
    const loaded = load({ env: { SIGNALBOX_NOTIFY_TOKEN_FILE: name } });
    expect(loaded.warnings).toEqual([]);
    expect(() => loaded.notifySecrets()).toThrow(expect.objectContaining({ code: 'config_bad_value' }));
  },
);

it('without any there are none', () => {
  expect(load({}).notifySecrets()).toEqual({});
});
