import { describe, expect, it } from 'vitest';
import { terminalOfStat } from '../../../hooks/sender/controlling-terminal.ts';
import { putInEnvelope, type Sending } from '../../../hooks/sender/envelope.ts';
import { toldEnvironment } from '../../../runtime/config/sender-environment.ts';

const SENDING: Sending = { id: 'one', sent_at: 1_796_000_000_000, ppid: 4711, tty: undefined, env: {} };

function enveloped(
  chunks: readonly (string | Buffer)[],
  more: Partial<Sending> = {},
  event?: string,
): string {
  const hook = chunks.map((chunk) => Buffer.from(chunk));
  return Buffer.concat(
    putInEnvelope(hook, { ...SENDING, ...more }, event === undefined ? {} : { event }),
  ).toString();
}

describe('the envelope', () => {
  it("holds the agent's JSON as it is, in one piece or several", () => {
    const text = '{ "b": 1.0,\n "a": "\\u00e4" }';
    expect(enveloped([text])).toBe(
      `{"v":1,"id":"one","sent_at":1796000000000,"ppid":4711,"env":{},"hook":${text}}`,
    );
    expect(enveloped([text.slice(0, 5), text.slice(5)])).toBe(enveloped([text]));
  });

  it('adds terminal, event and environment where they are known', () => {
    const told = enveloped(['{}'], { tty: '/dev/pts/3', env: { TMUX_PANE: '%1' } }, 'sessionEnd');
    expect(JSON.parse(told)).toEqual({
      v: 1,
      ...SENDING,
      tty: '/dev/pts/3',
      event: 'sessionEnd',
      env: { TMUX_PANE: '%1' },
      hook: {},
    });
  });

  it('leaves a byte order mark out, which would break it', () => {
    expect(JSON.parse(enveloped([Buffer.from('\ufeff{"a":1}')])).hook).toEqual({ a: 1 });
  });
});

it('tells six variables, whether there is an SSH connection, and nothing else', () => {
  const told = {
    TMUX_PANE: '%1',
    TERM_PROGRAM: 'ghostty',
    SIGNALBOX_JOB_ID: 'j1',
    CLAUDE_PID: '4711',
    CLAUDE_CODE_ENTRYPOINT: 'cli',
    CLAUDE_CODE_CHILD_SESSION: '1',
  };
  const env = { ...told, SSH_CONNECTION: '10.0.0.1 22', AWS_SECRET_ACCESS_KEY: 'k', PATH: '/bin', TERM: 'x' };
  expect(toldEnvironment(env)).toEqual({ ...told, SSH_CONNECTION: true });
  expect(toldEnvironment({ TMUX_PANE: '', SSH_CONNECTION: '', TERM_PROGRAM: undefined })).toEqual({});
});

// Lines as proc(5) has them; the program's name may hold anything.
it.each([
  ['4711 (node) S 1 2 3 34819 5 0', '/dev/pts/3'],
  ['4711 (a) b (c) S 1 2 3 35072 5 0', '/dev/pts/256'],
  ['4711 (login) S 1 2 3 1025 5 0', '/dev/tty1'],
  ['4711 (node) S 1 2 3 0 -1 0', undefined],
  ['', undefined],
])('reads the terminal of %j', (stat, expected) => {
  expect(terminalOfStat(stat)).toBe(expected);
});
