import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type ErrorCode, ERRORS, SignalboxError } from '../../protocol/errors.ts';
import { decodePayload } from '../../protocol/messages/codec.ts';
import type { Command, ResponsePayload } from '../../protocol/messages/request.ts';
import type { Cancel, Clock } from '../../runtime/clock.ts';
import { readHubFile } from '../../runtime/hub-file.ts';
import type { Bus } from '../bus.ts';
import type { Settings } from '../settings.ts';

/** Longest that a hub may take to answer [ms]. */
const ANSWER_WITHIN = 3_000;

/** What a request names; nothing: all. */
export interface Asked {
  readonly provider?: string;
  readonly session?: string;
  readonly minutes?: number;
  readonly days?: number;
}

/**
 * Asks the hub and gives the `data` of its answer.
 * @throws SignalboxError `no_hub`, `needs_socket`, `not_taken`, `subscription_refused`, and what the hub answers
 */
export async function askHub(
  bus: Bus,
  command: Command,
  asked: Asked,
  { settings, clock }: { settings: Settings; clock: Clock },
): Promise<unknown> {
  await bus.ready();
  if (isByPort(settings)) throw new SignalboxError('needs_socket', { where: bus.where() });
  const transaction = randomUUID();
  const cancels: Cancel[] = [];
  const answer = new Promise<ResponsePayload>((resolve, reject) => {
    bus.link
      .subscribe('response', { command }, ({ payload }) => {
        const decoded = decodePayload('response', Buffer.from(payload).toString('utf8'));
        if (decoded.kind === 'payload' && decoded.payload.transaction === transaction)
          resolve(decoded.payload);
      })
      .then(() => bus.link.publish('request', { command }, { transaction, ...asked }))
      .catch(reject);
    // MQTT 3.1.1 has no refusal of a publish: the broker closes the connection.
    cancels.push(
      bus.link.onLost((reason) => reject(new SignalboxError('not_taken', { reason }))),
      clock.at(clock.now() + ANSWER_WITHIN, () => {
        const detail = `${bus.where()} takes the request, but nobody answers it`;
        reject(new SignalboxError('no_hub', { detail }));
      }),
    );
  });
  try {
    const response = await answer;
    if (response.ok) return response.data;
    throw errorOf(response.error);
  } finally {
    for (const cancel of cancels) cancel();
  }
}

/** Is the hub reached by its port, where it takes no requests? With another broker that broker knows who may. */
function isByPort({ config, paths }: Settings): boolean {
  const hub = config.broker.url === '' ? readHubFile(paths.hubFile) : undefined;
  return hub !== undefined && hub.broker_url === undefined && !(hub.socket !== '' && existsSync(hub.socket));
}

/** What the hub has answered, as if it had been found out here: its message names what only the hub knows. */
function errorOf({ code, message }: { code: string; message: string }): SignalboxError {
  if (!isKnown(code)) return new SignalboxError('refused', { reason: message.replace(/\.$/, ''), code });
  const error = new SignalboxError(code);
  error.message = message;
  return error;
}

/** A newer hub may know more codes, and the next step of some needs what only the hub knows. */
function isKnown(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code) && !ERRORS[code as ErrorCode].next.includes('{');
}
