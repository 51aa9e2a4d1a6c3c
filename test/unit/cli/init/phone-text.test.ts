import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { subscribeText } from '../../../../cli/init/phone-text.ts';
import { privateTopic } from '../../../../cli/init/private-topic.ts';
import { topicLink } from '../../../../cli/init/topic-link.ts';
import { qrLines } from '../../../../cli/terminal/qr-code.ts';
import { PUBLIC_NTFY, SHARED_TOPIC, topicFault } from '../../../../runtime/config/notify-section.ts';
import { readQr } from '../../../support/read-qr.ts';

const TOPIC = 'signalbox-7k3m-9p2q-4r8s-5t6v';
const TERMINAL = { colour: true, width: 80, height: 24 };

const plain = (line: string): string => line.replaceAll(/\u001b\[[\d;]*m/g, '');

describe('the code holds the link', () => {
  it.each([
    ['https://ntfy.sh', TOPIC, `ntfy://ntfy.sh/${TOPIC}`],
    ['https://ntfy.sh/', SHARED_TOPIC, `ntfy://ntfy.sh/${SHARED_TOPIC}`],
    ['http://192.168.1.20:8093', 'a', 'ntfy://192.168.1.20:8093/a?secure=false'],
    ['https://push.example.org:8443', 'x'.repeat(64), `ntfy://push.example.org:8443/${'x'.repeat(64)}`],
    ['http://[fd00::7]', '_-0', 'ntfy://[fd00::7]/_-0?secure=false'],
    ['https://müller.example', TOPIC, `ntfy://xn--mller-kva.example/${TOPIC}`],
    // The app takes no path: docs.ntfy.sh, "ntfy:// links".
    ['https://example.org/push/ntfy/', TOPIC, `https://example.org/push/ntfy/${TOPIC}`],
  ])('%s, %s', (server, topic, link) => {
    expect(topicLink({ server, topic }).link).toBe(link);
    expect(readQr(qrLines(link).lines)).toBe(link);
    const shown = subscribeText({ server, topic }, { ...TERMINAL, height: 60 });
    expect(readQr(shown.split('\n').filter((line) => line.startsWith('\u001b[')))).toBe(link);
    expect(shown).toContain(topic);
    expect(shown).toContain(link);
    for (const line of shown.split('\n'))
      expect(plain(line).length).toBeLessThanOrEqual(Math.max(80, link.length));
  });

  it('in black on white by numbers that no theme changes', () => {
    for (const line of qrLines('ntfy://ntfy.sh/a').lines)
      expect(line.startsWith('\u001b[38;5;16;48;5;231m')).toBe(true);
  });
});

describe('on a terminal of 80 by 24', () => {
  it('everything stands beside the code, with room for the question', () => {
    const lines = subscribeText({ server: PUBLIC_NTFY, topic: TOPIC }, TERMINAL)
      .trimEnd()
      .split('\n')
      .map(plain);
    expect(lines.length).toBeLessThanOrEqual(21);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(lines.filter((line) => line.includes(TOPIC))).toHaveLength(2);
  });

  it('what is too wide to stand beside it stands above, and the code is whole', () => {
    const target = { server: 'http://192.168.100.200:18093', topic: TOPIC };
    const lines = subscribeText(target, TERMINAL).trimEnd().split('\n');
    const code = lines.filter((line) => line.startsWith('\u001b['));
    expect(lines.slice(-code.length)).toEqual(code);
    expect(code.length).toBeLessThanOrEqual(21);
    expect(readQr(code)).toBe(topicLink(target).link);
  });
});

it.each([
  ['without colours', { colour: false }],
  ['too narrow', { width: 30 }],
  ['too low', { height: 15 }],
  ['of an unknown height', { height: 0 }],
])('%s the words alone are there', (_, sheet) => {
  const shown = subscribeText({ server: PUBLIC_NTFY, topic: TOPIC }, { ...TERMINAL, ...sheet });
  expect(shown).toContain(`ntfy://ntfy.sh/${TOPIC}`);
  expect(shown).not.toMatch(/[▀▄█\u001b]/);
});

describe('a private topic', () => {
  it('is one that the server takes, and another each time', () => {
    const topics = Array.from({ length: 200 }, () => privateTopic(randomBytes));
    expect(new Set(topics).size).toBe(200);
    for (const topic of topics) {
      expect(topic).toMatch(/^signalbox(?:-[0-9a-hjkmnp-tv-z]{4}){4}$/);
      expect(topicFault(topic)).toBeUndefined();
    }
  });

  it('is made of every bit that it is given: 16 times one of 32', () => {
    const letters = new Set(
      Array.from({ length: 256 }, (_, byte) => privateTopic((count) => new Uint8Array(count).fill(byte))),
    );
    expect(letters.size).toBe(32);
  });
});
