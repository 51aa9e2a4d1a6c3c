import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SignalboxError } from '../../../protocol/errors.ts';
import { createLog, type LogFields, type LogOptions } from '../../../runtime/log.ts';
import { plainText } from '../../../runtime/plain-text.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

function logTo(options: Partial<LogOptions> & { readonly isTTY?: boolean } = {}) {
  let text = '';
  const { isTTY = false, ...rest } = options;
  const stream = {
    isTTY,
    write: (chunk: string) => {
      text += chunk;
    },
  };
  const clock = virtualClock(Date.UTC(2026, 4, 26, 9, 5, 7));
  const log = createLog({ level: 'info', format: 'auto', stream, clock, ...rest });
  return {
    log,
    text: () => text,
    entries: () =>
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
  };
}

describe('a log that a program reads', () => {
  it('has one JSON object a line', () => {
    const { log, entries } = logTo();
    log.info('Listening', { host: '127.0.0.1', port: 1883 });
    log.child({ component: 'broker' }).warn('A client was dropped', { client: 'desk', bytes: 20 });
    expect(entries()).toEqual([
      { level: 'info', time: '2026-05-26T09:05:07.000Z', msg: 'Listening', host: '127.0.0.1', port: 1883 },
      {
        level: 'warn',
        time: '2026-05-26T09:05:07.000Z',
        component: 'broker',
        msg: 'A client was dropped',
        client: 'desk',
        bytes: 20,
      },
    ]);
  });

  it('leaves out what is less important than its level', () => {
    const { log, entries } = logTo({ level: 'warn' });
    log.debug('a');
    log.info('b');
    log.warn('c');
    log.error('d');
    expect(entries()).toMatchObject([{ msg: 'c' }, { msg: 'd' }]);
  });

  it('carries no field that is not on its list', () => {
    const { log, text } = logTo();
    const fields = { payload: 'canary', prompt: 'canary', topic: { canary: 1 }, code: undefined, count: 3 };
    log.info('Received', fields as unknown as LogFields);
    log.child({ command: 'canary' } as unknown as LogFields).info('Received');
    expect(text()).not.toContain('canary');
    expect(text()).toContain('"count":3');
  });

  it('shows no password of a URL', () => {
    const { log, text } = logTo();
    log.warn('No answer', { url: 'mqtt://me:canary@host' });
    expect(text()).toContain('mqtt://me:***@host');
  });
});

describe('an error in a log', () => {
  it('of the user has its code and no stack', () => {
    const { log, entries } = logTo();
    log.error('Refused', { error: new SignalboxError('no_identity') });
    expect(entries()).toEqual([
      expect.objectContaining({ code: 'no_identity', error: 'The event has neither session_id nor cwd.' }),
    ]);
    expect(entries()[0]).not.toHaveProperty('stack');
  });

  it('of ours has code, message and the place it came from', () => {
    const { log, entries } = logTo();
    log.error('Failed', { error: Object.assign(new Error('disk full'), { code: 'ENOSPC' }) });
    expect(entries()[0]).toMatchObject({ code: 'ENOSPC', error: 'disk full' });
    expect((entries()[0] as { stack: string[] }).stack[0]).toMatch(/^at .*log\.test\.ts/);
  });

  it('repeats nothing of a payload that could not be parsed', () => {
    const { log, text } = logTo();
    try {
      JSON.parse('canary payload');
    } catch (error) {
      log.error('Not JSON', { error });
    }
    log.error('Thrown', { error: 'canary' });
    expect(text()).toContain('SyntaxError');
    expect(text()).not.toContain('canary');
  });
});

describe('a log that a person reads', () => {
  it('has readable lines on a terminal, and where they were asked for', () => {
    for (const options of [{ isTTY: true }, { format: 'pretty' as const }]) {
      const { log, text } = logTo(options);
      log.child({ component: 'broker' }).warn('A client was dropped', { client: 'my desk', bytes: 20 });
      log.info('Listening', { port: 1883 });
      expect(text()).toBe(
        '09:05:07 WARN  broker: A client was dropped client="my desk" bytes=20\n09:05:07 INFO  Listening port=1883\n',
      );
    }
  });

  it('has colours when it may, and the frames of a fault below it', () => {
    const { log, text } = logTo({ format: 'pretty', colour: true });
    log.error('Failed', { error: new Error('broken') });
    expect(text()).toMatch(/^09:05:07 \u001b\[31mERROR\u001b\[0m Failed error=broken\n {4}at .*\n/);
  });

  it('stays JSON on a terminal when that was asked for', () => {
    const { log, entries } = logTo({ isTTY: true, format: 'json' });
    log.info('hello');
    expect(entries()).toMatchObject([{ msg: 'hello' }]);
  });
});

it.each(['pretty', 'json'] as const)(
  'no text from outside starts a line or moves the cursor (%s)',
  (format) => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (text) => {
        const { log, text: written } = logTo({ format });
        const error = new Error(text);
        log.info(`Named ${text}`, { provider: text, reason: text });
        log
          .child({ client: text })
          .error('x', { error: Object.assign(error, { code: text, stack: `Error\n    at ${text}` }) });
        const lines = written().split('\n');
        expect(lines.at(-1)).toBe('');
        expect(lines.length - 1).toBeLessThanOrEqual(format === 'json' ? 2 : 4);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: that none is left is the point.
        expect(written()).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/);
      }),
    );
  },
);

it.each([
  ['\u001b[31mred', '\\u001b[31mred'],
  ['\u009b31m', '\\u009b31m'],
  ['a\r\nb', 'a\\u000d\\u000ab'],
  ['evil\u202egnp.exe', 'evil\\u202egnp.exe'],
  ['lone \ud800', 'lone \ufffd'],
  ['Grüße 漢字 🚦', 'Grüße 漢字 🚦'],
])('%j is printed as %s', (text, printed) => {
  expect(plainText(text)).toBe(printed);
});

it('cuts what is long', () => {
  expect(plainText('x'.repeat(20), 10)).toBe('xxxxxxxxx…');
});
