import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import stringWidth from 'string-width';
import { describe, expect, it, vi } from 'vitest';
import { signalOf, startCliHub } from '../support/cli-hub.ts';
import { cliEnvironment, PROGRAM, runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 60_000 });

const execute = promisify(execFile);
