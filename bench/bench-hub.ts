import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { readHubFile } from '../runtime/hub-file.ts';
import { processorMs, residentBytes } from './process-facts.ts';

/** A hub as users run it: the built program, a process of its own. */
export interface BenchHub {
  readonly port: number;
  /** Resident memory [bytes]. */
  rss(): number;
  /** Processor time so far [ms]. */
  processor(): number;
  stop(): Promise<void>;
}

const START_WITHIN = 60_000;

/** Runs `use` with a data folder that is removed afterwards. */
export async function withHome<T>(use: (home: string) => Promise<T>): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
  try {
    return await use(home);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Runs `use` with a new hub that is stopped afterwards. */
export function withHub<T>(use: (hub: BenchHub) => Promise<T>): Promise<T> {
  return withHome(async (home) => {
    const hub = await startBenchHub(home);
    try {
      return await use(hub);
    } finally {
      await hub.stop();
    }
  });
}

/** Starts the hub of a data folder; resolves when it says where it listens. */
export async function startBenchHub(home: string): Promise<BenchHub> {
  const child = spawn(process.execPath, ['dist/bin/main.js', 'up'], {
    env: {
      ...process.env,
      SIGNALBOX_HOME: home,
      SIGNALBOX_BROKER_PORT: '0',
      SIGNALBOX_HTTP_PORT: '0',
      SIGNALBOX_LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  const until = performance.now() + START_WITHIN;
  for (;;) {
    const file = readHubFile(join(home, 'hub.json'));
    if (file?.pid === child.pid && file !== undefined) {
      const { pid, mqtt_port: port } = file;
      return {
        port,
        rss: () => residentBytes(pid),
        processor: () => processorMs(pid),
        async stop() {
          child.kill('SIGTERM');
          await ended;
        },
      };
    }
    if (child.exitCode !== null || performance.now() > until) {
      child.kill('SIGKILL');
      throw new Error('the hub did not start; is it built? (npm run build)');
    }
    await wait(2);
  }
}
