import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHouseTree, type HouseTree, type Outcome } from '../../support/house-tree.ts';

const TEST = "import { expect, it } from 'vitest';\n\n";

describe('npm test', () => {
  let tree: HouseTree;
  let outcome: Outcome;
  beforeAll(async () => {
    tree = createHouseTree();
    tree.write(
      'test/unit/holds.test.ts',
      `${TEST}it('one', () => expect(1).toBe(1));\nit('two', () => expect(2).toBe(2));\n`,
    );
    tree.write('test/unit/breaks.test.ts', `${TEST}it('breaks', () => expect(1).toBe(2));\n`);
    tree.write('test/unit/skips.test.ts', `${TEST}it.skip('skips', () => expect(1).toBe(1));\n`);
    tree.write('test/unit/unloadable.test.ts', "throw new Error('unloadable');\n");
    tree.write(
      'test/bus/rejects.test.ts',
      `${TEST}it('rejects', () => {\n  setTimeout(() => {\n    throw new Error('late');\n  });\n  expect(1).toBe(1);\n});\n`,
    );
    tree.write(
      'runtime/floating.ts',
      'const late = async (): Promise<number> => 1;\nlate();\nexport const a = late;\n',
    );
    outcome = await tree.run('npm', 'test');
  }, 120_000);
  afterAll(() => tree.close());

  const lines = (start: string): number =>
    outcome.output.split('\n').filter((line) => line.startsWith(start)).length;

  it('fails', () => {
    expect(outcome.status).toBe(1);
  });

  it('runs every check though one fails, and shows why it failed', () => {
    expect(lines('ok ') + lines('FAILED ')).toBe(6);
    expect(outcome.output).toMatch(/^FAILED {2}lint$/m);
    expect(outcome.output).toContain('no-floating-promises');
  });

  it('ends with the sum: checks, tests, skipped tests, files that do not load, runs that end badly', () => {
    const passed = lines('ok ') + 3;
    const failed = lines('FAILED ') + 1 + 1 + 1 + 1;
    expect(outcome.output.trimEnd().split('\n').at(-1)).toBe(`${passed} passed, ${failed} failed`);
  });
});
