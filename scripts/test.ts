import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { add, countVitest, type Count } from './house/test-count.ts';

/**
 * `npm test`: builds, runs every check of the house, then every test. Nothing stops at the first failure.
 * A check counts as one; the last line, `N passed, N failed`, is the true sum.
 */
const CHECKS: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ['build', 'npm', 'run', '-s', 'build'],
  ['types', 'tsc', '-b'],
  ['format', 'biome', 'format', '--error-on-warnings', '.'],
  ['lint', 'oxlint'],
  ['house', 'tsx', 'scripts/house-check.ts'],
  ['unused', 'knip', '--no-progress'],
  // A minute of compiling: in CI once, by hand where the image is worked on.
  ...(process.env['CI'] === undefined ? [] : [['image', 'npm', 'run', '-s', 'image:check'] as const]),
];

/** The unit tests carry the coverage thresholds, so they are a run of their own. */
const RUNS: readonly (readonly string[])[] = [
  ['--project', 'unit', '--coverage'],
  ['--project', 'bus', '--project', 'e2e'],
];

const scratch = mkdtempSync(join(tmpdir(), 'signalbox-test-'));
let sum: Count = { passed: 0, failed: 0 };
try {
  for (const [name, command, ...args] of CHECKS) sum = add(sum, await check(name, command, args));
  for (const args of RUNS) sum = add(sum, await tests(args));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
if (sum.failed > 0) process.exitCode = 1;
console.log(`\n${sum.passed} passed, ${sum.failed} failed`);

async function check(name: string, command: string, args: readonly string[]): Promise<Count> {
  const { status, output } = await run(command, args, 'pipe');
  console.log(status === 0 ? `ok      ${name}` : `FAILED  ${name}\n${output}`);
  return status === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

async function tests(args: readonly string[]): Promise<Count> {
  const report = join(scratch, `${args.join('')}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const { status } = await run('vitest', ['run', ...args, ...reporters], 'inherit');
  return countVitest(report, status);
}

function run(
  command: string,
  args: readonly string[],
  output: 'pipe' | 'inherit',
): Promise<{ status: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', output, output] });
    const chunks: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ status: code ?? 1, output: Buffer.concat(chunks).toString() }));
  });
}
