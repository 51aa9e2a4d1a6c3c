import { readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { viewBus } from '../support/bus-viewer.ts';
import { runHub, startHub } from '../support/hub.ts';
import { type Mosquitto, startMosquitto } from '../support/mosquitto.ts';
import { shell } from '../support/shell.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 120_000 });

const COMPOSE = fileURLToPath(new URL('../../docker-compose.yml', import.meta.url));
const { services, configs } = parse(readFileSync(COMPOSE, 'utf8'), { merge: true }) as {
  readonly services: {
    readonly mosquitto: {
      readonly entrypoint: readonly [string, ...string[]];
      readonly command: readonly [string];
      readonly healthcheck: { readonly test: readonly [string, string, ...string[]] };
    };
  };
  readonly configs: Readonly<Record<'mosquitto' | 'mosquitto-acl', { readonly content: string }>>;
};

/** Mosquitto as Compose starts it, with the container's paths in a folder of the test and its port on loopback. */
function startAsComposed(password: string): Promise<Mosquitto> {
  return startMosquitto({
    command: (port, folder) => {
      const here = (text: string): string =>
        text
          // Compose's own way to write a dollar sign.
          .replaceAll('$$', '$')
          .replaceAll('/run/secrets/broker-password', password)
          .replaceAll('/mosquitto/config/mosquitto.conf', join(folder, 'mosquitto.conf'))
          .replaceAll('/mosquitto/config/acl', join(folder, 'acl'))
          .replaceAll('/mosquitto/data', folder)
          .replaceAll('/tmp/passwords', join(folder, 'passwords'))
          .replace('chown mosquitto', 'chown "$(id -u)"')
          .replace('exec mosquitto', 'exec /usr/sbin/mosquitto')
          .replace('listener 1883', `listener ${port} 127.0.0.1\nuser ${userInfo().username}`);
      writeFileSync(join(folder, 'mosquitto.conf'), here(configs.mosquitto.content));
      writeFileSync(join(folder, 'acl'), here(configs['mosquitto-acl'].content));
      const { entrypoint, command } = services.mosquitto;
      return [...entrypoint, here(command[0])] as unknown as [string, ...string[]];
    },
  });
}

function passwordFile(): string {
  const file = join(temporaryFolder(), 'broker-password');
  writeFileSync(file, 'a+b/c d$e"f==\n', { mode: 0o600 });
  return file;
}

describe('the profile mosquitto of docker-compose.yml', () => {
  it("gives the hub a bus, and everybody else what the hub's own broker would", async () => {
    const password = passwordFile();
    const broker = await startAsComposed(password);
    const [, program, ...args] = services.mosquitto.healthcheck.test;
    expect(await shell(program, [...args, '-p', String(broker.port)])).toMatchObject({ status: 0 });
    const env = {
      SIGNALBOX_BROKER_URL: broker.url,
      SIGNALBOX_BROKER_USERNAME: 'signalbox',
      SIGNALBOX_BROKER_PASSWORD_FILE: password,
    };
    const hub = await startHub({ env });

    const to = (topic: string, message: string) =>
      shell('mosquitto_pub', ['-p', String(broker.port), '-q', '1', '-t', topic, '-m', message]);
    const bus = await viewBus({ url: broker.url });
    // Mosquitto acknowledges what an ACL forbids and drops it.
    await to('signal/claude', '{"forged":true}');
    await to('hook/claude', '{"event":"PermissionRequest","session_id":"s","cwd":"/srv/shop"}');
    const signal = await bus.untilSignal('claude', ({ alert }) => alert === 1);
    expect(signal.attention).toMatchObject({ state: 'needs_user', primary_project: 'shop' });
    expect(bus.last('signalbox/state')).toBe('online');
    expect(await hub.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  it('lets no hub in without the password', async () => {
    const broker = await startAsComposed(passwordFile());
    const wrong = join(temporaryFolder(), 'broker-password');
    writeFileSync(wrong, 'another\n', { mode: 0o600 });
    const env = { SIGNALBOX_BROKER_USERNAME: 'signalbox', SIGNALBOX_BROKER_PASSWORD_FILE: wrong };
    const { code, output } = await runHub({ env, args: ['--broker-url', broker.url] });
    expect(code).toBe(1);
    expect(output).toMatch(/refused|not authori[sz]ed|password/i);
  });

  it('has a hub that was given no password say so', async () => {
    const env = {
      SIGNALBOX_BROKER_URL: 'mqtt://127.0.0.1:1884',
      SIGNALBOX_BROKER_USERNAME: 'signalbox',
      // What is mounted where no file was named.
      SIGNALBOX_BROKER_PASSWORD_FILE: '/dev/null',
    };
    const { code, output } = await runHub({ env });
    expect(code).not.toBe(0);
    expect(output).toContain('no password in its first line');
  });
});
