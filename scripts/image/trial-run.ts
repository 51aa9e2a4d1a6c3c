import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { execForm } from './dockerfile.ts';
import type { BuiltStage } from './trial-stage.ts';

/** How long the hub may take to be healthy, on a busy machine too [ms]. */
const HEALTHY_WITHIN = 60_000;

/** Starts a stage's CMD as the image's user, waits until its HEALTHCHECK passes, uses the hub, and ends it by its STOPSIGNAL. @throws when any of it goes wrong */
export async function runImage(stage: BuiltStage, tell: (line: string) => void): Promise<void> {
  const said = (name: string): string => {
    const value = stage.said.get(name);
    if (value === undefined) throw new Error(`the Dockerfile has no ${name} in its last stage`);
    return value;
  };
  if (said('USER') !== 'node') throw new Error('the hub would not run as the image\'s user "node"');
  // As Compose mounts it where no file of settings is named.
  symlinkSync('/dev/null', join(stage.root, 'data/config.toml'));
  const options = {
    cwd: stage.workdir,
    env: {
      PATH: process.env['PATH'] ?? '',
      // Anything below it could be read by accident only.
      HOME: '/nonexistent',
      SIGNALBOX_BROKER_PORT: '0',
      SIGNALBOX_HTTP_PORT: '0',
      ...stage.env,
    },
  };
  const [program, ...args] = asUser(execForm(said('CMD')));
  const hub = spawn(program, args, { ...options, stdio: ['ignore', 'inherit', 'inherit'] });
  const ended = once(hub, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  try {
    const check = asUser(execForm(said('HEALTHCHECK').replace(/^.*?CMD\s*/, '')));
    if (spawnSync(check[0], check.slice(1), options).status === 0) throw new Error('healthy before it runs');
    await healthy(() => spawnSync(check[0], check.slice(1), options).status === 0, hub);
    tell('HEALTHCHECK passes');
    const status = asUser(['node', 'dist/bin/main.js', 'status', '--json']);
    const { status: code, stdout } = spawnSync(status[0], status.slice(1), { ...options, encoding: 'utf8' });
    if (code !== 0) throw new Error(`signalbox status ended with ${code}`);
    tell(`status says ${stdout.trim().slice(0, 80)} ...`);
    hub.kill(said('STOPSIGNAL') as NodeJS.Signals);
    const [exit, signal] = await ended;
    if (exit !== 0) throw new Error(`the hub ended with ${signal ?? exit}`);
    tell(`${said('STOPSIGNAL')} ends it with status 0`);
  } finally {
    hub.kill('SIGKILL');
  }
}

/** The image's `node` is user 1000, and may write to nothing but the data folder. */
function asUser(command: readonly [string, ...string[]]): readonly [string, ...string[]] {
  if (process.getuid?.() !== 0) return command;
  return [
    'setpriv',
    '--reuid=1000',
    '--regid=1000',
    '--clear-groups',
    '--bounding-set=-all',
    '--no-new-privs',
    ...command,
  ];
}

async function healthy(passes: () => boolean, hub: { readonly exitCode: number | null }): Promise<void> {
  const until = Date.now() + HEALTHY_WITHIN;
  while (!passes()) {
    if (hub.exitCode !== null) throw new Error(`the hub ended with ${hub.exitCode}`);
    if (Date.now() > until) throw new Error('the hub did not become healthy');
    await wait(100);
  }
}
