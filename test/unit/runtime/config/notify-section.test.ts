import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import {
  hasNotify,
  PUBLIC_NTFY,
  serverFault,
  topicFault,
  withNotify,
} from '../../../../runtime/config/notify-section.ts';

const OWN = { server: 'https://push.example.org:8443/x', topic: 'signalbox-7k3m' };

describe('[notify] comes behind what is there', () => {
  it.each([
    ['nothing', ''],
    ['a comment without an end', '# mine'],
    ['a table with its comments', '# mine\n[broker]  # here\nport = 1884 # and here\n\n'],
    ['lines that end as on Windows', '[broker]\r\nport = 1884\r\n'],
    ['and no last end', '[broker]\r\nport = 1884'],
    ['dotted keys and an inline table', 'broker.port = 1\nproviders = { mine = { name = "Mine" } }\n'],
    ['an array of many lines', '[project]\nroots = [\n  "/a", # one\n  "/b",\n]'],
    ['a text of many lines that looks like it', 'host = """\n[notify]\n"""\n'],
    ['letters beyond ASCII', 'host = "büro 🦀" # ünd'],
  ])('%s', (_, text) => {
    const result = withNotify(text, OWN);
    expect(result.startsWith(text)).toBe(true);
    expect(parse(result)).toEqual({ ...parse(text), notify: { enabled: true, ...OWN } });
    expect([hasNotify(text), hasNotify(result)]).toEqual([false, true]);
    const added = result.slice(text.length);
    const other = text.includes('\r\n') ? /[^\r]\n/ : /\r/;
    expect(added.replace(/^\n/, '')).not.toMatch(other);
  });

  it('names the server only where it is another one', () => {
    const text = withNotify('', { server: PUBLIC_NTFY, topic: 'a' });
    expect(parse(text)).toEqual({ notify: { enabled: true, topic: 'a' } });
  });
});

it.each([
  '[notify]\n',
  'notify.enabled = false',
  '[notify.quiet_hours]\nfrom = "22:00"',
  'notify = {}',
  '["notify"]',
])('is there already: %j', (text) => expect(hasNotify(text)).toBe(true));

it.each([
  ['https://ntfy.sh', true],
  ['http://10.0.0.7:8093/push', true],
  ['ntfy.sh', false],
  ['https://me:secret@ntfy.sh', false],
  ['https://ntfy.sh/?auth=x', false],
  ['file:///etc/passwd', false],
  ['', false],
])('%j is a server: %s', (text, good) => {
  expect(serverFault(text) === undefined).toBe(good);
});

it.each([
  ['signalbox-7k3m', true],
  ['a b', false],
  ['docs', false],
  ['"\nenabled = false', false],
  ['x'.repeat(65), false],
])('%j is a topic: %s', (text, good) => {
  expect(topicFault(text) === undefined).toBe(good);
});
