import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dockerignore } from '../../../scripts/image/build-context.ts';
import { execForm, parseDockerfile } from '../../../scripts/image/dockerfile.ts';
import { ROOT } from '../../support/house-tree.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

describe('the Dockerfile', () => {
  const [build, runtime, ...more] = parseDockerfile(read('Dockerfile'));

  it('has a stage that builds and one that runs', () => {
    expect(more).toEqual([]);
    expect(build?.name).toBe('build');
    expect(runtime?.from).toMatch(/-slim$/);
    // Both have the same Node, or the compiled SQLite would not load.
    expect(runtime?.from.replace('-slim', '')).toBe(build?.from);
  });

  it('takes over nothing but the program and what it needs', () => {
    const copied = runtime?.instructions.filter(({ name }) => name === 'COPY').map(({ rest }) => rest);
    expect(copied).toEqual([
      '--from=build /app/package.json ./',
      '--from=build /app/node_modules ./node_modules',
      '--from=build /app/dist ./dist',
    ]);
  });

  it('runs the hub itself, as a user without rights, so that it gets the signal to stop', () => {
    const said = new Map(runtime?.instructions.map(({ name, rest }) => [name, rest]));
    expect(execForm(said.get('CMD') ?? '')).toEqual(['node', 'dist/bin/main.js', 'up']);
    expect(said.get('USER')).toBe('node');
    expect(said.get('STOPSIGNAL')).toBe('SIGTERM');
  });

  it('reads continued lines, comments and names of stages', () => {
    const text = '# a comment\nFROM a:1 AS Build\nRUN one \\\n  two\n\nFROM b:2\ncmd ["x", "y"]\n';
    expect(parseDockerfile(text)).toEqual([
      { from: 'a:1', name: 'build', instructions: [{ name: 'RUN', rest: 'one    two' }] },
      { from: 'b:2', name: '', instructions: [{ name: 'CMD', rest: '["x", "y"]' }] },
    ]);
    expect(() => parseDockerfile('RUN x')).toThrow('before FROM');
    expect(() => execForm('node x.js')).toThrow('JSON');
  });
});

describe('.dockerignore', () => {
  const included = dockerignore(read('.dockerignore'));

  it.each([
    'package.json',
    'package-lock.json',
    '.npmrc',
    'cli/main.ts',
    'services/http/tsconfig.json',
    'scripts/prune-dist.ts',
  ])('lets %s through', (path) => expect(included(path)).toBe(true));

  it.each([
    '.git/config',
    '.env',
    'broker-password',
    'config.toml',
    'node_modules/zod/index.js',
    'dist/bin/main.js',
    'test/support/hub.ts',
    'README.md',
    'cli/tsconfig.tsbuildinfo',
  ])('keeps %s back', (path) => expect(included(path)).toBe(false));

  it('goes by the last pattern that matches', () => {
    const rules = dockerignore('# all of it\n*\n!kept\nkept/a?.txt\n**/*.log\n');
    const paths = ['kept', 'kept/x/y', 'kept/ab.txt', 'kept/abc.txt', 'kept/x/z.log', 'other'];
    expect(paths.filter(rules)).toEqual(['kept', 'kept/x/y', 'kept/abc.txt']);
  });
});
