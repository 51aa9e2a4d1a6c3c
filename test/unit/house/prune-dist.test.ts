import { chmodSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHouseTree, type HouseTree } from '../../support/house-tree.ts';

describe('the build', () => {
  let tree: HouseTree;
  beforeEach(() => {
    tree = createHouseTree();
  });
  afterEach(() => tree.close());

  const built = (path: string): boolean => existsSync(join(tree.root, 'dist', path));

  it('removes what it made of a source that is gone, and nothing else', async () => {
    tree.write('broker/gone.ts', 'export const gone = 1;\n');
    tree.write('broker/deep/gone.ts', 'export const gone = 1;\n');
    expect(await tree.run('npm', 'run', '-s', 'build')).toEqual({ status: 0, output: '' });
    expect([built('broker/gone.js'), built('broker/gone.d.ts'), built('broker/deep/gone.js')]).toEqual([
      true,
      true,
      true,
    ]);

    rmSync(join(tree.root, 'broker/gone.ts'));
    rmSync(join(tree.root, 'broker/deep'), { recursive: true });
    mkdirSync(join(tree.root, 'dist/services/removed-service'));
    writeFileSync(join(tree.root, 'dist/broker/bundle.mjs'), '');
    writeFileSync(join(tree.root, 'dist/bin/chunk-OLD.js'), '');
    expect(await tree.run('npm', 'run', '-s', 'build')).toEqual({ status: 0, output: '' });
    expect([built('broker/gone.js'), built('broker/gone.d.ts'), built('broker/deep')]).toEqual([
      false,
      false,
      false,
    ]);
    expect(built('services/removed-service')).toBe(false);
    expect([built('broker/post.js'), built('broker/bundle.mjs'), built('bin/main.js')]).toEqual([
      true,
      true,
      true,
    ]);
    expect(built('bin/chunk-OLD.js')).toBe(false);
  }, 60_000);

  it('makes a program whose imports work at run time', async () => {
    await tree.run('npm', 'run', '-s', 'build');
    const program = "import('./dist/bin/main.js').then(({ main }) => console.log(main))";
    expect(await tree.run('node', '-e', program)).toEqual({ status: 0, output: '36\n' });
    // As npm links it, and as it has to be after the next build too.
    const main = join(tree.root, 'dist/bin/main.js');
    chmodSync(main, 0o644);
    await tree.run('npm', 'run', '-s', 'build');
    expect(statSync(main).mode & 0o777).toBe(0o755);
  }, 60_000);
});
