import { readFileSync, writeFileSync } from 'node:fs';
import { GENERATED_DOCS } from './docs/generated.ts';

// Writes what is generated: `npm run generate`. A test fails when a file is not what its source says.
for (const { path, render } of GENERATED_DOCS) {
  const now = readFileSync(path, 'utf8');
  const wanted = render(now);
  if (wanted === now) continue;
  writeFileSync(path, wanted);
  console.log(`written: ${path}`);
}
