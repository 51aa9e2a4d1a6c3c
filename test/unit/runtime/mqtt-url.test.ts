import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseBrokerUrl, redactUrl } from '../../../runtime/mqtt-url.ts';

describe('a broker URL', () => {
  it.each([
    ['mqtt://broker.example', { protocol: 'mqtt', host: 'broker.example', port: 1883, path: '' }],
    ['mqtts://broker.example', { protocol: 'mqtts', host: 'broker.example', port: 8883, path: '' }],
    ['mqtt://127.0.0.1:18830/', { protocol: 'mqtt', host: '127.0.0.1', port: 18830, path: '' }],
    ['mqtt://[::1]:1884', { protocol: 'mqtt', host: '::1', port: 1884, path: '' }],
    ['mqtt://desk@broker', { protocol: 'mqtt', host: 'broker', port: 1883, path: '', username: 'desk' }],
    ['mqtt://a%40b@broker', { protocol: 'mqtt', host: 'broker', port: 1883, path: '', username: 'a@b' }],
    ['ws://broker', { protocol: 'ws', host: 'broker', port: 80, path: '/mqtt' }],
    ['wss://broker/ws', { protocol: 'wss', host: 'broker', port: 443, path: '/ws' }],
    ['ws://broker:8083/', { protocol: 'ws', host: 'broker', port: 8083, path: '/mqtt' }],
  ])('%s is read', (text, expected) => {
    expect(parseBrokerUrl(text)).toEqual(expected);
  });

  it.each([
    ['broker', 'it is not a URL'],
    ['http://broker', 'it is not mqtt, mqtts, ws or wss'],
    ['mqtt:broker', 'it names no host'],
    ['mqtt://', 'it names no host'],
    ['mqtt://broker/path', 'only a WebSocket has a path'],
    ['wss://broker/mqtt?token=x', 'a query or fragment means nothing to a broker'],
    ['mqtt://broker:0', 'port 0 is no port'],
    ['mqtt://broker:99999', 'it is not a URL'],
  ])('%s is refused: %s', (text, reason) => {
    expect(() => parseBrokerUrl(text)).toThrow(
      expect.objectContaining({ code: 'bad_broker_url', message: expect.stringContaining(reason) }),
    );
  });

  it.each([
    'mqtt://me:secret@broker',
    'mqtt://:secret@broker',
    'wss://me:secret@broker/mqtt',
    'mqtt://me:sec/ret@broker',
    'mqtt://me:secret@broker:99999',
    'http://me:secret@broker',
  ])('%s is refused for its password, and never repeated', (text) => {
    let thrown: unknown;
    try {
      parseBrokerUrl(text);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code: 'password_in_url' });
    expect(String(thrown)).not.toMatch(/secret|sec\/ret/);
  });

  it('is never shown with its password, whatever that is made of', () => {
    const words = fc.stringMatching(/^[A-Za-z0-9/@:?#%!]{4,20}$/);
    fc.assert(
      fc.property(words, fc.constantFrom('', ' and more'), (password, tail) => {
        const shown = redactUrl(`broker at mqtt://me:canary${password}@host:1883${tail}`);
        expect(shown).not.toContain('canary');
      }),
    );
  });

  it('is shown as it is without one', () => {
    expect(redactUrl('mqtt://desk@host:1883')).toBe('mqtt://desk@host:1883');
    expect(redactUrl('ws://[::1]:80/mqtt')).toBe('ws://[::1]:80/mqtt');
  });
});
