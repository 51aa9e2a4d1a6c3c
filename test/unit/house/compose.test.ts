import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROLES } from '../../../protocol/roles.ts';
import { type Outcome, ROOT, run } from '../../support/house-tree.ts';

const text = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');

interface Service {
  readonly image?: string;
  readonly profiles?: readonly string[];
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string; readonly required: boolean }>>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly [key: string]: unknown;
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly configs: Readonly<Record<string, { readonly content: string }>>;
}
const compose = parse(text, { merge: true }) as Compose;
const services = Object.entries(compose.services);
const hub = compose.services['hub'] as Service;

const startedBy = (...profiles: string[]): string[] =>
  services
    .filter(([, service]) => service.profiles?.some((each) => profiles.includes(each)) ?? true)
    .map(([name]) => name);

describe('docker-compose.yml', () => {
  it.each([
    { profiles: [], started: ['hub'] },
    { profiles: ['mosquitto'], started: ['hub', 'mosquitto'] },
    { profiles: ['cluster'], started: ['hub', 'emqx1', 'emqx2'] },
    { profiles: ['ntfy'], started: ['hub', 'ntfy'] },
    { profiles: ['homeassistant'], started: ['hub', 'homeassistant'] },
  ])('starts $started with the profiles $profiles', ({ profiles, started }) => {
    expect(startedBy(...profiles)).toEqual(started);
  });

  it('has the hub wait for a broker that is started beside it, and for none that is not', () => {
    const ready = { condition: 'service_healthy', required: false };
    expect(hub.depends_on).toEqual({ emqx1: ready, mosquitto: ready });
    for (const broker of Object.keys(hub.depends_on ?? {}))
      expect(compose.services[broker]).toHaveProperty('healthcheck.test');
  });

  it('shuts the hub in', () => {
    expect(hub).toMatchObject({
      network_mode: 'host',
      read_only: true,
      init: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
  });

  it('publishes ports on loopback alone, each once, and none that the hub itself listens on', () => {
    const ports = services.flatMap(([, service]) => service.ports ?? []);
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
    const published = ports.map((port) => port.split(':')[1]);
    expect(new Set(published).size).toBe(ports.length);
    expect(published).not.toContain('1883');
    expect(published).not.toContain('4787');
  });

  it('pins every image to one version', () => {
    for (const [, { image, build }] of services)
      expect(image ?? build).toMatch(/^(?:\.|[a-z][\w/-]*:v?\d+\.\d+\.\d+)$/);
    const docker = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
    for (const from of docker.matchAll(/^FROM (\S+)/gm)) expect(from[1]).toMatch(/^node:\d+\.\d+\.\d+-/);
  });

  it('holds no password', () => {
    const secret = services
      .flatMap(([, { environment = {} }]) => Object.entries(environment))
      .filter(([name]) => /PASSWORD|SECRET|TOKEN|COOKIE/.test(name));
    expect(secret).toEqual([
      ['SIGNALBOX_BROKER_PASSWORD_FILE', '${SIGNALBOX_BROKER_URL:+/run/secrets/broker-password}'],
    ]);
  });

  it("lets a client without an account do at Mosquitto what it may do at the hub's own broker", () => {
    const [anonymous = '', known = ''] = (compose.configs['mosquitto-acl']?.content ?? '').split(
      'user signalbox\n',
    );
    const may = (verb: string): string[] =>
      anonymous
        .split('\n')
        .flatMap((line) => (line.startsWith(`topic ${verb} `) ? [line.split(' ')[2] ?? ''] : []));
    expect(may('write')).toEqual(ROLES.hook.publish);
    expect(may('read')).toEqual(ROLES.viewer.subscribe);
    expect(known).toBe('topic readwrite #\n');
  });
});

describe('dclint, with the Compose schema', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'signalbox-compose-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const lint = (content: string): Promise<Outcome> => {
    const file = join(folder, 'docker-compose.yml');
    writeFileSync(file, content);
    return run(ROOT, 'dclint', ['--max-warnings', '0', '--config', join(ROOT, '.dclintrc.json'), file]);
  };

  it('finds nothing wrong', async () => {
    const { status, output } = await lint(text);
    expect(output.trim()).toBe('');
    expect(status).toBe(0);
  });

  it.each([
    ['a key that no service has', '    init: true\n', '    innit: true\n', /invalid-schema/],
    ['a port that is published everywhere', '127.0.0.1:1884:', '1884:', /no-unbound-port-interfaces/],
    ['a condition that does not exist', 'service_healthy', 'service_well', /invalid-schema/],
    [
      'an image of any version',
      'eclipse-mosquitto:2.0.22',
      'eclipse-mosquitto',
      /service-image-require-explicit-tag/,
    ],
    ['one host port twice', '127.0.0.1:1885:', '127.0.0.1:1884:', /no-duplicate-exported-ports/],
  ])('finds %s', async (_name, from, to, rule) => {
    expect(text).toContain(from);
    const { status, output } = await lint(text.replace(from, to));
    expect(status).toBe(1);
    expect(output).toMatch(rule);
  });
});
