import { mkdirSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { fanOut } from './figures/fan-out.ts';
import { latency } from './figures/latency.ts';
import { memory } from './figures/memory.ts';
import { sender } from './figures/sender.ts';
import { start } from './figures/start.ts';
import { tableSize } from './figures/table-size.ts';
import { throughput } from './figures/throughput.ts';
import type { Figure } from './figure.ts';
import { machineFacts, type Measured, tableOf } from './report.ts';
import { FULL, TINY } from './scale.ts';

// `npm run bench [-- NAME ...] [--tiny]`: prints a table and writes bench/out/bench.json, or bench/out/NAME.json;
// `--tiny` shows in seconds that all of it runs. Everything runs on this machine at the same time.

const FIGURES: readonly Figure[] = [latency, throughput, tableSize, fanOut, memory, start, sender];

const words = process.argv.slice(2);
const scale = words.includes('--tiny') ? TINY : FULL;
const asked = words.filter((word) => word !== '--tiny');
const unknown = asked.filter((word) => !FIGURES.some(({ name }) => name === word));
if (unknown.length > 0) {
  console.error(
    `bench: no figure is called ${unknown.join(', ')}; there are ${FIGURES.map(({ name }) => name).join(', ')}`,
  );
  process.exit(2);
}

const machine = machineFacts(new Date());
console.log(
  Object.entries(machine)
    .map(([name, value]) => `${name} ${value}`)
    .join(', '),
);
console.log(
  `medians of ${scale.rounds} rounds, peers in the same run; load average ${loadavg()[0]?.toFixed(1)}\n`,
);
const measured: Measured[] = [];
for (const figure of FIGURES) {
  if (asked.length > 0 && !asked.includes(figure.name)) continue;
  const result: Measured = {
    figure: { name: figure.name, about: figure.about },
    rows: await figure.measure(scale),
  };
  measured.push(result);
  console.log(tableOf(result));
}
const parts = [asked.length === 0 ? 'bench' : asked.join('-'), ...(scale === TINY ? ['tiny'] : [])];
const out = `bench/out/${parts.join('-')}.json`;
mkdirSync('bench/out', { recursive: true });
writeFileSync(out, `${JSON.stringify({ machine, scale, measured }, undefined, 2)}\n`);
console.log(`written to ${out}`);
