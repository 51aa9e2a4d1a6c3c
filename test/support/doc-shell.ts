import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { type HubFile, readHubFile } from '../../runtime/hub-file.ts';
import { resolvePaths } from '../../runtime/paths.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { until } from './until.ts';

/** A reader's machine: an empty home, a checkout to stand in, `signalbox` on the path. */
export interface DocShell {
  /** Runs commands to their end. @returns exit status and what was printed on both outputs */
  run(commands: string): Promise<{ readonly status: number | null; readonly output: string }>;
  /** Starts commands that go on, waits until they print something, and interrupts them, as Ctrl-C does, when the page is through. */
  background(commands: string): Promise<DocBackground>;
  /** Where the hub is that runs under this home. */
  hub(): HubFile | undefined;
}

export interface DocBackground {
  output(): string;
  /** Ctrl-C. @returns the exit status, or the signal that ended it */
  interrupt(): Promise<number | string | null>;
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** A reader's ports are the standard ones; here any free ones must do, and the commands are told which. */
const MQTT_CLIENT = /\b(mqtt (?:pub|sub)|mosquitto_(?:pub|sub))\b(?![^\n|]* -p )/g;

export function createDocShell(): DocShell {
  const home = temporaryFolder();
  const checkout = join(home, 'checkout');
  const bin = join(home, 'bin');
  mkdirSync(checkout);
  mkdirSync(bin);
  for (const name of ['package.json', 'node_modules', 'dist', 'test', 'docs']) {
    symlinkSync(join(ROOT, name), join(checkout, name));
  }
  const program = join(bin, 'signalbox');
  writeFileSync(program, `#!/bin/sh\nexec node "${ROOT}dist/bin/main.js" "$@"\n`);
  chmodSync(program, 0o755);
  const env = {
    PATH: `${bin}:${process.env['PATH']}`,
    HOME: home,
    TZ: 'UTC',
    SIGNALBOX_BROKER_PORT: '0',
    SIGNALBOX_HTTP_PORT: '0',
  };
  const hub = (): HubFile | undefined =>
    readHubFile(resolvePaths({ env, platform: process.platform, home }).hubFile);

  function start(commands: string) {
    const child = spawn('bash', ['-euo', 'pipefail', '-c', onFreePorts(commands, hub())], {
      cwd: checkout,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that Ctrl-C reaches all of it.
      detached: true,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    }
    const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
    const signal = (name: NodeJS.Signals): void => {
      try {
        process.kill(-(child.pid ?? 0), name);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    };
    onTestFinished(async () => {
      signal('SIGKILL');
      await closed;
    });
    return { child, closed, signal, output: () => output };
  }

  return {
    hub,
    async run(commands) {
      const { closed, output } = start(commands);
      const [status] = await closed;
      return { status, output: output() };
    },
    async background(commands) {
      const { child, closed, signal, output } = start(commands);
      await until(() => {
        if (child.exitCode !== null) throw new Error(`it ended (${child.exitCode})\n${output()}`);
        return output() !== '';
      });
      return {
        output,
        async interrupt() {
          signal('SIGINT');
          const [status, by] = await closed;
          return status ?? by;
        },
      };
    },
  };
}

/** The same commands on the ports that the page's hub has. */
function onFreePorts(commands: string, hub: HubFile | undefined): string {
  const second = commands
    .replaceAll('--port 1884', '--port 0')
    .replaceAll('--http-port 4788', '--http-port 0');
  if (hub === undefined) return second;
  return second
    .replaceAll('127.0.0.1:4787', `127.0.0.1:${hub.http_port}`)
    .replace(MQTT_CLIENT, `$1 -p ${hub.mqtt_port}`);
}
