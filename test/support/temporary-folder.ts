import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A new empty folder, removed with all in it when the running test is over. */
export function temporaryFolder(): string {
  // Short on purpose: a Unix socket's path may have about 100 bytes.
  const folder = mkdtempSync(join(tmpdir(), 'sb-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));
  return folder;
}
