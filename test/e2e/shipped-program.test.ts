import { builtinModules } from 'node:module';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/run-cli.ts';
import { shippedParts } from '../support/shipped-modules.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('the built program', () => {
  it('needs nothing beside itself but Node and the binding of SQLite', () => {
    const outside = [...shippedParts().values()].flatMap(({ imports }) =>
      imports.filter(({ external }) => external === true).map(({ path }) => path),
    );
    const modules = new Set(
      outside.filter((path) => !path.startsWith('node:') && !builtinModules.includes(path)),
    );
    // Two are native helpers that `ws` does without.
    expect([...modules].sort()).toEqual(['better-sqlite3', 'bufferutil', 'utf-8-validate']);
  });

  it('holds each of our sources once, so that no two parts of it have a state of their own', () => {
    const sources = [...shippedParts().values()].flatMap(({ inputs }) => Object.keys(inputs));
    expect(sources.filter((source, index) => sources.indexOf(source) !== index)).toEqual([]);
    expect(sources).toContain('services/aggregator/aggregator.ts');
  });

  it('knows its version and the files that it brings for the agents', async () => {
    const home = temporaryFolder();
    expect(await runCli(['--version'], { home })).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
    const shown = await runCli(['hooks', 'sender', '--install', '--json'], { home });
    expect([shown.status, shown.stderr]).toEqual([0, '']);
    expect(JSON.parse(shown.stdout)).toMatchObject({ state: 'current' });
  });
});
