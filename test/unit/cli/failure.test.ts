import { PassThrough } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { describe, expect, it } from 'vitest';
import { reportFailure } from '../../../cli/failure.ts';
import { SignalboxError } from '../../../protocol/errors.ts';

interface Surroundings {
  readonly argv?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
}

function report(thrown: unknown, { argv = [], env = {}, columns }: Surroundings = {}) {
  const stdout = new PassThrough();
  const stderr = Object.assign(new PassThrough(), columns === undefined ? {} : { isTTY: true, columns });
  const status = reportFailure(thrown, {
    argv,
    env,
    stdout: stdout as unknown as WriteStream,
    stderr: stderr as unknown as WriteStream,
  });
  const text = (stream: PassThrough): string => String(stream.read() ?? '');
  return { status, stdout: text(stdout), stderr: text(stderr) };
}

describe('a failure', () => {
  it('says what happened, why, and the next step', () => {
    expect(report(new SignalboxError('no_hub', { detail: 'nothing listens there' }))).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'signalbox: No hub answers (nothing listens there).\n' +
        '  Start one with "signalbox up", or name its broker with --broker-url.\n',
    });
  });

  it('that nobody expected is one line and a hint, without a stack', () => {
    expect(report(new TypeError('x is not a function'))).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'signalbox: Something went wrong that should not: x is not a function.\n' +
        '  Run it again with SIGNALBOX_LOG_LEVEL=debug to see where, and report it.\n',
    });
  });

  it('shows where it came from when it is asked to, with what caused it', () => {
    const cause = new TypeError('deep');
    const { stderr } = report(cause, { env: { SIGNALBOX_LOG_LEVEL: 'debug' } });
    expect(stderr).toContain('Caused by TypeError: deep\n');
    expect(stderr).toMatch(/^ +at .*failure\.test\.ts/m);
  });

  it.each([['--json'], ['--format', 'json'], ['--format=json']])('is JSON on stdout for %s %s', (...argv) => {
    const { stdout, stderr } = report(new SignalboxError('no_hub', { detail: 'd' }), { argv });
    expect(JSON.parse(stdout)).toEqual({
      error: { code: 'no_hub', message: 'No hub answers (d).', next: expect.any(String) as string },
    });
    expect(stderr).toBe('');
  });

  it('lets no escape sequence of its text through', () => {
    const { stderr } = report(new Error('\u001b[2Jgone'));
    expect(stderr).toContain('\\u001b[2Jgone');
    expect(stderr).not.toContain('\u001b');
  });

  it('is wrapped and coloured on a terminal', () => {
    const { stderr } = report(
      new SignalboxError('unknown_signal', { signal: 'x', known: 'a '.repeat(60).trim() }),
      {
        columns: 40,
      },
    );
    expect(stderr).toMatch(/^\u001b\[31;1msignalbox:\u001b\[0m No lamp/);
    // The colour takes no columns.
    for (const line of stderr.replaceAll(/\u001b\[[\d;]*m/g, '').split('\n'))
      expect(line.length).toBeLessThanOrEqual(40);
  });

  it.each([
    ['bad_usage', 2],
    ['config_bad_value', 2],
    ['port_taken', 1],
    ['not_taken', 1],
  ] as const)('%s ends with status %i', (code, status) => {
    expect(report(new SignalboxError(code)).status).toBe(status);
  });
});
