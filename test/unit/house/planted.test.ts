import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHouseTree, type HouseTree, type Outcome } from '../../support/house-tree.ts';
import { BUILD, CHECK, LINT, PARTNERS } from './plants.ts';

const FOLDERS = ['protocol', 'runtime', 'broker', 'services/aggregator', 'services/http', 'cli'];

const build = (tree: HouseTree): Promise<Outcome> => tree.run('tsc', '-b', '--pretty', 'false', ...FOLDERS);
const check = (tree: HouseTree): Promise<Outcome> => tree.run('tsx', 'scripts/house-check.ts');
const lint = (tree: HouseTree): Promise<Outcome> => tree.run('oxlint', '--format', 'unix');

/** The lines that a tool says about one file. */
const about = (outcome: Outcome, path: string): string =>
  outcome.output
    .split('\n')
    .filter((line) => line.includes(path))
    .join('\n');

const tools = [
  { name: 'the build', run: build, plants: BUILD, partners: {} },
  { name: 'the house check', run: check, plants: CHECK, partners: {} },
  { name: 'the linter', run: lint, plants: LINT, partners: PARTNERS },
];

describe.each(tools)('$name', ({ run, plants, partners }) => {
  let tree: HouseTree;
  let clean: Outcome;
  let planted: Outcome;

  beforeAll(async () => {
    tree = createHouseTree();
    clean = await run(tree);
    for (const [, path, source] of plants) tree.write(path, source);
    for (const [path, source] of Object.entries(partners)) tree.write(path, source);
    planted = await run(tree);
  }, 60_000);
  afterAll(() => tree.close());

  it('passes a clean house', () => {
    expect(clean).toMatchObject({ status: 0 });
  });

  it('fails when something is planted', () => {
    expect(planted.status).not.toBe(0);
  });

  it.each(plants)('finds %s', (_what, path, _source, says) => {
    expect(about(planted, path)).toMatch(says);
  });
});

describe('a build with an error', () => {
  it('writes nothing of the folder that has it', async () => {
    const tree = createHouseTree();
    try {
      tree.write('broker/wrong.ts', "export const wrong: number = 'text';\n");
      expect((await build(tree)).status).not.toBe(0);
      expect(existsSync(join(tree.root, 'dist/runtime/motor.js'))).toBe(true);
      expect(existsSync(join(tree.root, 'dist/broker/wrong.js'))).toBe(false);
      expect(existsSync(join(tree.root, 'dist/broker/post.js'))).toBe(false);
    } finally {
      tree.close();
    }
  }, 60_000);
});
