import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { SENDER_BUILD } from '../../../scripts/bundles.ts';

it('the sender is one small file of ours alone, with nothing of the spool loaded before it is needed', async () => {
  const { metafile, outputFiles } = await build(SENDER_BUILD);
  const inputs = Object.keys(metafile.inputs);
  expect(inputs.filter((path) => !/^(?:hooks|protocol|runtime)\//.test(path))).toEqual([]);
  // These would bring zod, MQTT.js, pino or a database in, or what only a hub needs.
  expect(inputs.filter((path) => /messages\/|table\.ts|schema|log\.ts|link|store/.test(path))).toEqual([]);
  expect(inputs).toContain('protocol/adapters/adapt.ts');

  const [output] = Object.values(metafile.outputs);
  const external = new Set(output?.imports.filter((each) => each.external).map(({ path }) => path));
  expect([...external].filter((path) => !path.startsWith('node:'))).toEqual([]);
  expect(outputFiles).toHaveLength(1);
  expect(output?.bytes).toBeLessThan(100_000);
});
