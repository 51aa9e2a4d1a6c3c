import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { version } from '../../../runtime/version.ts';

it('is the one of package.json', () => {
  const { version: own } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(version()).toBe(own);
  expect(version()).toBe(own);
});
