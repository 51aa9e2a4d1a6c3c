#!/usr/bin/env node
import { createRequire } from 'node:module';

// An agent waits for its hook, so `signalbox hook` loads the sender alone, which is one small file, and nothing of the command line.
const [command, ...rest] = process.argv.slice(2);
if (command === 'hook' && !['--help', '-h'].includes(rest[0] ?? '')) {
  process.argv.splice(2, 1);
  // Not by import: of a CommonJS file that takes Node as long as its own start (it reads the file for exports first).
  const load = createRequire(import.meta.url);
  load('../hooks/signalbox-hook.js');
} else if (/^status --format[= ]starship$/.test(process.argv.slice(2).join(' '))) {
  // A shell waits for its prompt, each time.
  const { runPromptHere } = await import('./status/prompt/run-prompt.ts');
  await runPromptHere();
} else {
  const { runHere } = await import('./run-here.ts');
  await runHere();
}
