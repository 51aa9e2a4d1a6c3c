import { spawnSync } from 'node:child_process';

/** Global setup of the end-to-end tests: builds, and refuses to test a program older than its sources. */
export default function build(): void {
  const { status, stdout, stderr } = spawnSync('npm', ['run', '-s', 'build'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the build failed\n${stdout}${stderr}`);
}
