import { expect, it } from 'vitest';
import { bytesText } from '../../../cli/terminal/bytes.ts';

it.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [1023, '1023 bytes'],
  [1024, '1.0 KB'],
  [10_188, '9.9 KB'],
  [10_200, '10 KB'],
  [1_048_000, '1023 KB'],
  [1_048_500, '1.0 MB'],
  [120 * 1024 ** 3, '120 GB'],
  [5_000 * 1024 ** 4, '5000 TB'],
])('%i is %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});
