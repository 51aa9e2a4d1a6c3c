import { lockHub } from '../../../../runtime/hub-lock-store.ts';
import { resolvePaths } from '../../../../runtime/paths.ts';

const paths = resolvePaths({
  platform: process.platform,
  env: { SIGNALBOX_HOME: process.argv[2] },
  home: '/nonexistent',
});

/** Waits for the word to start, so that several of these start together, prints what came of it, and stays. */
process.stdout.write('ready\n');
process.stdin.once('data', () => {
  lockHub(paths).then(
    () => process.stdout.write('locked\n'),
    (error: { code: string; message: string }) => process.stdout.write(`${error.code} ${error.message}\n`),
  );
});
