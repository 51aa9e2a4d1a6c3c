import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { readHubFile } from '../runtime/hub-file.ts';

/** A hub as users run it: the built program, a process and a data folder of its own. */
export interface BenchHub {
  readonly port: number;
  /** Resident memory [bytes]; 0 where the system does not tell. */
  rss(): number;
  stop(): Promise<void>;
}

const START_WITHIN = 20_000;

export async function startBenchHub(): Promise<BenchHub> {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
  const child = spawn(process.execPath, ['dist/cli/main.js', 'up'], {
    env: {
      ...process.env,
      SIGNALBOX_HOME: home,
      SIGNALBOX_BROKER_PORT: '0',
      SIGNALBOX_HTTP_PORT: '0',
      SIGNALBOX_LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const until = Date.now() + START_WITHIN;
  let file = readHubFile(join(home, 'hub.json'));
  while (file === undefined && child.exitCode === null && Date.now() < until) {
    await wait(20);
    file = readHubFile(join(home, 'hub.json'));
  }
  if (file === undefined) throw new Error('the hub did not start; is it built? (npm run build)');
  return {
    port: file.mqtt_port,
    rss: () => rssOf(child.pid ?? 0),
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function rssOf(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
