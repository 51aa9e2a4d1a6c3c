#!/usr/bin/env node
// An agent waits for its hook, so `signalbox hook` loads the sender alone, which is one small file, and nothing of the command line.
const [command, ...rest] = process.argv.slice(2);
if (command === 'hook' && !['--help', '-h'].includes(rest[0] ?? '')) {
  process.argv.splice(2, 1);
  await import('../hooks/signalbox-hook.ts');
} else {
  const { runHere } = await import('./run-here.ts');
  await runHere();
}
