import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { startBenchHub } from './bench-hub.ts';
import { measureLatency } from './latency.ts';
import { measureThroughput } from './throughput.ts';

// `npm run bench`: prints a table and writes bench/out/bench.json. The load runs on the same machine as the hub and shares its processors.

const RATE = 100;
const SECONDS = 10;
const EVENTS = 100_000;
const SESSIONS = 1_000;

const hub = await startBenchHub();
try {
  const idle = hub.rss();
  const latency = await measureLatency(hub.port, RATE, SECONDS);
  const throughput = await measureThroughput(hub.port, EVENTS, SESSIONS);
  const figures = {
    machine: {
      cpu: cpus()[0]?.model ?? '',
      cores: cpus().length,
      memory_gb: Math.round(totalmem() / 2 ** 30),
      node: process.version,
    },
    'hook to signal, p50 [ms]': round(latency.p50),
    'hook to signal, p99 [ms]': round(latency.p99),
    samples: latency.samples,
    'events a second, on disk': Math.round(throughput.perSecond),
    'memory at rest [MB]': megabytes(idle),
    'memory after the storm [MB]': megabytes(hub.rss()),
  };
  const { machine, ...rows } = figures;
  console.log(`${machine.cores} x ${machine.cpu}, ${machine.memory_gb} GB, Node ${machine.node}`);
  console.log(
    `latency at ${RATE} events/s for ${SECONDS} s; storm of ${EVENTS} events over ${SESSIONS} sessions; QoS 1\n`,
  );
  for (const [name, value] of Object.entries(rows))
    console.log(`${name.padEnd(30)}${String(value).padStart(10)}`);
  mkdirSync('bench/out', { recursive: true });
  writeFileSync('bench/out/bench.json', `${JSON.stringify(figures, undefined, 2)}\n`);
} finally {
  await hub.stop();
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20);
}
