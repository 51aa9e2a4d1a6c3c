import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { GENERATED_DOCS } from '../../../scripts/docs/generated.ts';

it.each(GENERATED_DOCS)('$path is what its source says (npm run generate)', ({ path, render }) => {
  const now = readFileSync(path, 'utf8');
  expect(now).toBe(render(now));
});
