import { describe, expect, it } from 'vitest';
import { banner } from '../../../cli/up/banner.ts';

const parts = {
  version: '1.2.3',
  hub: {
    mqtt: { host: '127.0.0.1', port: 1883, socket: '/home/dev/data/signalbox.sock' },
    http: { host: '127.0.0.1', port: 4787 },
  },
  data: '/home/dev/data',
  sourcesOff: [],
  brokerUrl: '',
  home: '/home/dev',
  command: 'signalbox',
};

describe('what up prints', () => {
  it('says where it listens, where its data are, and what to do next', () => {
    const text = banner(parts);
    expect(text).toContain('Signalbox 1.2.3 is up.');
    expect(text).toMatch(/^ {2}MQTT +127\.0\.0\.1:1883$/m);
    expect(text).toMatch(/^ {2}Socket +~\/data\/signalbox\.sock$/m);
    expect(text).toMatch(/^ {2}HTTP +http:\/\/127\.0\.0\.1:4787$/m);
    expect(text).toMatch(/^ {2}Data +~\/data$/m);
    expect(text).toContain('signalbox status --follow');
  });

  it('says what the own port is for beside another broker, and nothing of a socket that is not there', () => {
    const hub = { ...parts.hub, mqtt: { ...parts.hub.mqtt, socket: '' } };
    const text = banner({ ...parts, hub, brokerUrl: 'mqtt://broker.example' });
    expect(text).toContain('127.0.0.1:1883 (hooks only; the bus is mqtt://broker.example)');
    expect(text).not.toContain('Socket');
  });

  it('names the second sources that the settings turn off, and is silent where none is', () => {
    expect(banner(parts)).not.toContain('Sources');
    expect(banner({ ...parts, sourcesOff: ['process', 'codex_rollout'] })).toMatch(
      /^ {2}Sources +off in the settings: process, codex_rollout$/m,
    );
  });

  it("shortens only what lies in the user's own folder", () => {
    expect(banner({ ...parts, data: '/home/developer/data' })).toContain('/home/developer/data');
  });
});
