import type { NtfyFault, NtfyOutcome } from './ntfy-client.ts';

const WORDS: Readonly<Record<NtfyFault, readonly [what: string, mend: string]>> = {
  unreachable: ['it can not be reached', 'Check "notify.server" and the network.'],
  timeout: ['it does not answer in time', 'Check "notify.server" and the network; messages are tried again.'],
  rate_limited: ['it takes no more messages for now', 'Nothing: messages are tried again a little later.'],
  daily_limit: [
    "this day's messages are used up",
    'Wait until midnight UTC, use a server of your own, or tell less with "notify.on" and rules.',
  ],
  server_error: ['it has a fault of its own', 'Nothing: messages are tried again. Its own log says more.'],
  garbage: [
    'what answers is no ntfy server',
    'Check "notify.server": it takes the address of the server, without the topic.',
  ],
  not_authorised: [
    'it refuses the credentials, or wants some',
    'Check "notify.token_file", or "notify.username" and "notify.password_file", and who may write to the topic.',
  ],
  refused: ['it refuses the message', 'Check "notify.server" and "notify.topic".'],
  too_large: ['the message is too large for it', 'Report it: Signalbox keeps its messages small.'],
  not_supported: [
    'it can not take messages off the phone again',
    'Update the ntfy server: 2.16 and newer can.',
  ],
};

/** What went wrong, to finish a sentence about the server, and what to do about it. */
export function faultWords({ fault, status, code }: NtfyOutcome & { ok: false }): {
  readonly what: string;
  readonly mend: string;
} {
  const [what, mend] = WORDS[fault];
  const numbers = [status, code].filter((number) => number !== undefined).join('/');
  return { what: numbers === '' ? what : `${what} (${numbers})`, mend };
}
