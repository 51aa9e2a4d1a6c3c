import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, run } from '../../support/house-tree.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

describe.each(['.ci/run', 'scripts/test-setup.sh', 'scripts/ntfy-server.sh'])('%s', (path) => {
  it('may be executed', () => {
    expect(statSync(join(ROOT, path)).mode & 0o111).toBe(0o111);
  });

  it('is sound shell', async () => {
    const shell = read(path).startsWith('#!/bin/sh') ? 'sh' : 'bash';
    expect(await run(ROOT, shell, ['-n', path])).toEqual({ status: 0, output: '' });
  });
});

describe('package.json', () => {
  const { dependencies, devDependencies, overrides, scripts } = JSON.parse(read('package.json'));

  it.each(Object.entries({ ...dependencies, ...devDependencies, ...overrides }))(
    'pins %s exactly',
    (_name, version) => {
      expect(version).toMatch(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/);
    },
  );

  it('names the scripts that CI and a reader call', () => {
    expect(scripts).toMatchObject({
      build: expect.any(String),
      test: expect.any(String),
      'test:setup': expect.stringContaining('scripts/test-setup.sh'),
      prestart: expect.stringContaining('build'),
      prepare: expect.stringContaining('build'),
    });
  });
});

describe('package-lock.json', () => {
  it('works with whatever registry its reader uses', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { resolved?: string }>;
    };
    expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
  });
});
