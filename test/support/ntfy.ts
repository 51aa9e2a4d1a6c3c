import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { freePort } from './doctor.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { until } from './until.ts';

/** One line of the server's own stream (docs.ntfy.sh, "JSON message format"). */
export interface NtfyEvent {
  readonly id: string;
  readonly event: 'message' | 'message_clear' | 'message_delete' | 'open' | 'keepalive';
  readonly topic: string;
  readonly time: number;
  readonly sequence_id?: string;
  readonly title?: string;
  readonly message?: string;
  readonly priority?: number;
  readonly tags?: readonly string[];
  readonly click?: string;
}

export interface RealNtfy {
  readonly url: string;
  /** All that it has taken for a topic, in order; also what is scheduled. */
  events(topic: string): Promise<NtfyEvent[]>;
  /** Waits for as many events of a kind. */
  untilEvents(topic: string, kind: NtfyEvent['event'], count: number): Promise<NtfyEvent[]>;
  stop(): Promise<void>;
  start(): Promise<void>;
}

export interface RealNtfyOptions {
  /** Lines of its configuration, e.g. `auth-default-access: "deny-all"`. */
  readonly config?: (folder: string) => readonly string[];
  /** It limits how often it is asked, as it does by default. */
  readonly limited?: boolean;
  /** For `events`, where reading wants credentials. */
  readonly authorization?: string;
}

/** The real server; `npm run test:setup` puts it where this finds it. */
const program = (): string =>
  execFileSync('sh', [fileURLToPath(new URL('../../scripts/ntfy-server.sh', import.meta.url)), '--find'], {
    encoding: 'utf8',
  }).trim();

/** Starts an ntfy server on a free port that ends with the running test. */
export async function startNtfy({
  config,
  authorization,
  limited = false,
}: RealNtfyOptions = {}): Promise<RealNtfy> {
  const folder = temporaryFolder();
  const url = `http://127.0.0.1:${await freePort()}`;
  const file = join(folder, 'server.yml');
  writeFileSync(
    file,
    [
      `base-url: "${url}"`,
      `listen-http: "${new URL(url).host}"`,
      `cache-file: "${join(folder, 'cache.db')}"`,
      'log-level: warn',
      // Else whoever looks often is taken for a flood.
      ...(limited ? [] : ['visitor-request-limit-exempt-hosts: "127.0.0.1"']),
      ...(config?.(folder) ?? []),
      '',
    ].join('\n'),
  );
  let running: ChildProcess | undefined;
  const server: RealNtfy = {
    url,
    async events(topic) {
      const answer = await fetch(`${url}/${topic}/json?poll=1&since=all&sched=1`, {
        headers: authorization === undefined ? {} : { authorization },
      });
      const text = await answer.text();
      if (answer.status !== 200) throw new Error(`ntfy ${answer.status}: ${text}`);
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as NtfyEvent);
    },
    async untilEvents(topic, kind, count) {
      let found: NtfyEvent[] = [];
      await until(async () => {
        found = (await server.events(topic)).filter(({ event }) => event === kind);
        // Each look is a request.
        if (found.length < count) await new Promise((resolve) => setTimeout(resolve, 45));
        return found.length >= count;
      });
      return found;
    },
    async stop() {
      const child = running;
      running = undefined;
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
    async start() {
      const child = spawn(program(), ['serve', '--config', file], { cwd: folder, stdio: 'ignore' });
      running = child;
      await until(async () => {
        if (child.exitCode !== null) throw new Error(`ntfy ended with ${child.exitCode}`);
        try {
          return (await fetch(`${url}/v1/health`)).ok;
        } catch {
          return false;
        }
      });
    },
  };
  onTestFinished(() => server.stop());
  await server.start();
  return server;
}
