import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTopics, TOPIC_NAMES, TOPICS, type TopicName } from '../../../protocol/topics.ts';

const level = fc
  .string({ minLength: 1, maxLength: 12, unit: 'binary' })
  .filter((text) => !/[/+#\0]/.test(text));
const prefix = fc
  .array(
    level.filter((text) => !text.startsWith('$')),
    { maxLength: 3 },
  )
  .map((levels) => levels.join('/'));
const name = fc.constantFrom(...TOPIC_NAMES);

function parametersOf(row: TopicName): string[] {
  return TOPICS[row].levels.filter((part) => part.startsWith('<')).map((part) => part.slice(1, -1));
}

describe('the topic table (spec: bus)', () => {
  it.each<[TopicName, Record<string, string>, string, 0 | 1, boolean]>([
    ['hook', { provider: 'claude' }, 'hook/claude', 1, false],
    ['usage', { provider: 'claude' }, 'usage/claude', 1, false],
    ['signal', { provider: 'codex' }, 'signal/codex', 1, true],
    ['signalUsage', { provider: 'codex' }, 'signal/codex/usage', 1, true],
    ['signalEvent', { provider: 'codex' }, 'signal/codex/event', 1, false],
    ['lamp', { provider: 'codex' }, 'lamp/codex', 1, true],
    ['lampAll', {}, 'lamp/all', 1, true],
    ['line', {}, 'line', 1, true],
    ['session', { provider: 'amp', key: '0123456789ab' }, 'session/amp/0123456789ab', 1, true],
    ['job', { id: 'j1' }, 'job/j1', 1, true],
    ['jobEndpoint', { id: 'j1' }, 'job/j1/endpoint', 1, true],
    ['jobReply', { id: 'j1' }, 'job/j1/reply', 1, false],
    ['deviceState', { id: 'd1' }, 'device/d1/state', 1, true],
    ['deviceInfo', { id: 'd1' }, 'device/d1/info', 1, true],
    ['deviceEvent', { id: 'd1' }, 'device/d1/event', 1, false],
    ['deviceSet', { id: 'd1' }, 'device/d1/set', 1, true],
    ['hostState', { name: 'studio' }, 'host/studio/state', 1, true],
    ['evidence', { host: 'studio' }, 'evidence/studio', 1, false],
    ['hubState', {}, 'signalbox/state', 1, true],
    ['hubInfo', {}, 'signalbox/info', 1, true],
    ['hubHealth', {}, 'signalbox/health', 1, true],
    ['reject', {}, 'signalbox/reject', 0, false],
    ['request', { command: 'ack' }, 'signalbox/request/ack', 1, false],
    ['response', { command: 'ack' }, 'signalbox/response/ack', 1, false],
  ])('%s %j is %s, QoS %i, retained: %s', (row, params, topic, qos, retained) => {
    expect(createTopics().build(row, params)).toBe(topic);
    expect(createTopics('team/alice').build(row, params)).toBe(`team/alice/${topic}`);
    expect(createTopics().parse(topic)).toEqual({ name: row, params });
    expect(TOPICS[row]).toMatchObject({ qos, retained });
    expect(TOPICS[row].publisher.length * TOPICS[row].payload.length).toBeGreaterThan(0);
  });

  it('what is built is read back, under any prefix', () => {
    fc.assert(
      fc.property(prefix, name, fc.array(level, { minLength: 2, maxLength: 2 }), (head, row, values) => {
        const topics = createTopics(head);
        const params = Object.fromEntries(
          parametersOf(row).map((part, index) => [part, values[index] as string]),
        );
        // `lamp/all` is the overall lamp: no provider has that slug.
        fc.pre(!(row === 'lamp' && params['provider'] === 'all'));
        const topic = topics.build(row, params);
        expect(topics.parse(topic)).toEqual({ name: row, params });
        expect(topics.filter(row, params)).toBe(topic);
        expect(topic).toBe(topics.under(createTopics().build(row, params)));
        expect(topics.prefix).toBe(head);
        expect(createTopics(`${head}x`).parse(topic)).toBeUndefined();
      }),
    );
  });

  it('a filter has `+` for what is not given', () => {
    const topics = createTopics('p');
    expect(topics.filter('session')).toBe('p/session/+/+');
    expect(topics.filter('session', { provider: 'amp' })).toBe('p/session/amp/+');
    expect(topics.filter('line')).toBe('p/line');
    expect(topics.under('signal/#')).toBe('p/signal/#');
    expect(createTopics().under('signal/#')).toBe('signal/#');
  });

  it('the overall lamp is no provider’s', () => {
    expect(createTopics().parse('lamp/all')).toEqual({ name: 'lampAll', params: {} });
    expect(createTopics().parse('lamp/claude')).toEqual({ name: 'lamp', params: { provider: 'claude' } });
  });

  it.each([
    '',
    'hook',
    'hook/',
    'hook/a/b',
    'nothing/here',
    'signal/a/b',
    'signal//usage',
    'line/x',
    '/line',
    'Line',
    'homeassistant/x',
    'hook/a+',
    'hook/#',
  ])('reads nothing in %j', (topic) => {
    expect(createTopics().parse(topic)).toBeUndefined();
  });

  it('without its prefix nothing is ours', () => {
    const topics = createTopics('team/alice');
    for (const topic of ['line', 'team/line', 'team/bob/line', 'team/alice', 'team/alicex/line'])
      expect(topics.parse(topic)).toBeUndefined();
  });

  it.each(['a/b', '+', '#', 'a\0', ''])('refuses to build with the level %j', (value) => {
    expect(() => createTopics().build('hook', { provider: value })).toThrow(RangeError);
    expect(() => createTopics().filter('hook', { provider: value })).toThrow(RangeError);
  });

  it('refuses to build without a level', () => {
    expect(() => createTopics().build('session', { provider: 'amp' })).toThrow(/session needs key/);
    expect(() => createTopics().build('hook')).toThrow(RangeError);
  });

  it.each(['/', 'a/', '/a', 'a//b', 'a/+', '#', '$SYS', 'a/$b', 'a\0'])('refuses the prefix %j', (head) => {
    expect(() => createTopics(head)).toThrow(RangeError);
  });
});
