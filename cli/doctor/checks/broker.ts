import type { SignalboxError } from '../../../protocol/errors.ts';
import { broken, brokenAs, brokenBy, type Check, type Finding, ok } from '../check.ts';
import type { BusFacts } from '../facts/bus.ts';
import type { Facts } from '../facts.ts';

/** The embedded broker or the other one: is it reached, and does it take us? */
export const brokerCheck: Check = {
  name: 'broker',
  run(facts) {
    const { bus } = facts;
    // The embedded one comes and goes with its hub, of which there is a line already.
    if (bus === undefined) return [];
    if (bus.error !== undefined) return [unreachable(facts, bus, bus.error)];
    const where = bus.url === undefined ? 'the embedded one answers' : `${bus.url} answers`;
    return [ok(where, { url: bus.url ?? '', embedded: bus.url === undefined }), ...otherHub(facts, bus)];
  },
};

function unreachable({ hub }: Facts, { url, where }: BusFacts, error: SignalboxError): Finding {
  if (error.code !== 'no_hub') return brokenBy(error);
  // `bus.ready()` has put place and reason into one text.
  const reason = String(error.params['detail']).replace(
    `${url === undefined ? where : `the broker at ${url}`}: `,
    '',
  );
  if (url !== undefined) return brokenAs('broker_unreachable', { url, reason });
  const pid = hub.kind === 'running' || hub.kind === 'silent' ? hub.file.pid : 0;
  const message = `The embedded broker does not answer at ${where}: ${reason}.`;
  return broken('broker_unreachable', message, `End process ${pid} and start the hub again: signalbox up`);
}

/** On a broker that others use too, another hub may have the prefix already. */
function otherHub({ hub }: Facts, { state, info }: BusFacts): Finding[] {
  if (state !== 'online' || info === undefined) return [];
  const own = hub.kind === 'running' || hub.kind === 'silent' ? hub.file.hub_id : undefined;
  return own === info.hub_id ? [] : [brokenAs('prefix_taken', { hub: `${info.hub_id} on ${info.host}` })];
}
