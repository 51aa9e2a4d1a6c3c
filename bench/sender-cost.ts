import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { SenderFiles } from '../hooks/installers/sender-files.ts';
import { readHubFile } from '../runtime/hub-file.ts';

/** One program's cost, from its start to its end as a parent sees it. */
export interface SenderCost {
  readonly name: string;
  readonly median_ms: number;
  readonly p90_ms: number;
  readonly runs: number;
  /** Median by the median of what it is measured against: `mosquitto_pub`, or a bare Node for what runs in Node. */
  readonly ratio: number;
}

interface Program {
  readonly name: string;
  readonly command: readonly string[];
  readonly path?: string;
  readonly against: string;
}

const MOSQUITTO = 'mosquitto_pub -q 1';
const NODE = 'node -e 0';
const DOWN = ', hub down';
const EVENT = JSON.stringify({
  session_id: 'bench',
  hook_event_name: 'PostToolUse',
  cwd: '/srv/shop',
  tool_name: 'Bash',
  tool_input: { command: 'npm test' },
  tool_response: { stdout: 'x'.repeat(900) },
});

/**
 * Measures what an agent pays for an event: every way the default sender speaks, the Node sender and their peers, in turn, round by round, so that all see the same
 * machine. Needs the built program, `mosquitto_pub` and `curl`. @param home data folder of a running hub @param runs rounds
 */
export async function measureSenderCost(home: string, runs = 100): Promise<readonly SenderCost[]> {
  const hub = readHubFile(join(home, 'hub.json'));
  if (hub === undefined) throw new Error(`no hub runs in ${home}`);
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-cost-'));
  try {
    const programs = programsFor(folder, { mqtt: hub.mqtt_port, http: hub.http_port });
    const times = new Map(programs.map(({ name }) => [name, [] as number[]]));
    for (let round = 0; round < runs; round += 1) {
      for (const program of programs) {
        const data = program.name.endsWith(DOWN) ? join(folder, 'down') : home;
        times.get(program.name)?.push(await timeOf(program, data));
      }
    }
    const median = (name: string): number => quantileOf(times.get(name) ?? [], 0.5);
    return programs.map(({ name, against }) => ({
      name,
      median_ms: median(name),
      p90_ms: quantileOf(times.get(name) ?? [], 0.9),
      runs,
      ratio: median(name) / median(against),
    }));
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

function programsFor(folder: string, port: { mqtt: number; http: number }): Program[] {
  const files = new SenderFiles(folder, process.platform);
  const read = (name: string): string => readFileSync(resolve('dist/hooks', name), 'utf8');
  files.install({
    script: read('signalbox-hook.sh'),
    program: read('signalbox-hook.js'),
    node: process.execPath,
  });
  const sender = [files.path, 'claude'];
  const bySh = ['/bin/sh', ...sender];
  const nodeSender = [process.execPath, resolve('dist/hooks/signalbox-hook.js'), 'claude'];
  const where = ['-h', '127.0.0.1', '-p', String(port.mqtt), '-t', 'hook/claude', '-q', '1', '-s'];
  const post = ['-s', '-f', '-H', 'Content-Type: application/json', '--data-binary', '@-'];
  const only = (...tools: string[]): string => pathOf(folder, tools);
  const shell = ['cat', 'sleep'];
  return [
    { name: MOSQUITTO, command: ['mosquitto_pub', ...where], against: MOSQUITTO },
    { name: NODE, command: [process.execPath, '-e', '0'], against: NODE },
    { name: 'bash -c :', command: ['bash', '-c', ':'], against: MOSQUITTO },
    { name: 'sender', command: sender, against: MOSQUITTO },
    { name: 'sender, found by sh', command: bySh, against: MOSQUITTO },
    {
      name: 'sender by mosquitto_pub',
      command: bySh,
      path: only(...shell, 'mosquitto_pub'),
      against: MOSQUITTO,
    },
    { name: 'sender by curl', command: bySh, path: only(...shell, 'curl'), against: MOSQUITTO },
    { name: `sender${DOWN}`, command: sender, against: MOSQUITTO },
    { name: 'Node sender', command: nodeSender, against: NODE },
    { name: `Node sender${DOWN}`, command: nodeSender, against: NODE },
    {
      name: 'curl',
      command: ['curl', ...post, `http://127.0.0.1:${port.http}/hook/claude`],
      against: MOSQUITTO,
    },
    { name: 'mqtt pub', command: [resolve('node_modules/.bin/mqtt'), 'pub', ...where], against: MOSQUITTO },
  ];
}

/** A folder for PATH with these programs alone. */
function pathOf(parent: string, tools: readonly string[]): string {
  const folder = mkdtempSync(join(parent, 'path-'));
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  for (const tool of tools) {
    const found = folders.map((each) => join(each, tool)).find(isFile);
    if (found === undefined) throw new Error(`${tool} is not installed`);
    symlinkSync(found, join(folder, tool));
  }
  return folder;
}

function isFile(path: string): boolean {
  try {
    return readFileSync(path).length > 0;
  } catch {
    return false;
  }
}

async function timeOf({ command: [program = '', ...args], path }: Program, home: string): Promise<number> {
  const begun = performance.now();
  const child = spawn(program, args, {
    env: { ...process.env, SIGNALBOX_HOME: home, ...(path !== undefined && { PATH: path }) },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(EVENT);
  await once(child, 'exit');
  return performance.now() - begun;
}

function quantileOf(times: readonly number[], at: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.min(Math.floor(sorted.length * at), sorted.length - 1)] ?? 0;
}
