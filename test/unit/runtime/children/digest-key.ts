import { loadDigestKey } from '../../../../runtime/digest.ts';

/** Waits for the word to start, so that several of these start together, and prints the key. */
process.stdout.write('ready\n');
process.stdin.once('data', () => {
  process.stdout.write(`${loadDigestKey(process.argv[2] ?? '').toString('hex')}\n`);
  process.exit();
});
