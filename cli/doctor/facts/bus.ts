import { SignalboxError } from '../../../protocol/errors.ts';
import { decodePayload } from '../../../protocol/messages/codec.ts';
import type { HubHealthPayload, HubInfoPayload, HubState } from '../../../protocol/messages/hub.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { LinkMessage } from '../../../runtime/link.ts';
import { type Bus, openBus } from '../../bus.ts';
import type { CommandContext } from '../../context.ts';
import type { Settings } from '../../settings.ts';
import type { HubFacts } from './hub.ts';

/** What the bus says of itself and of the hub on it. */
export interface BusFacts {
  /** Where it was looked for. */
  readonly where: string;
  /** The other broker's URL; nothing with the embedded one. */
  readonly url: string | undefined;
  /** Why there is no connection. */
  readonly error: SignalboxError | undefined;
  readonly state: HubState | undefined;
  readonly info: HubInfoPayload | undefined;
  readonly health: HubHealthPayload | undefined;
}

export interface BusLook {
  readonly settings: Settings;
  readonly hub: HubFacts;
  readonly context: CommandContext;
  readonly clock: Clock;
}

/** What is retained follows the broker's answer at once; a bus that tells of no hub is not waited for longer [ms]. */
const HEARD_WITHIN = 1_000;

/** Connects and hears what is retained about the hub. Never rejects for what is wrong with the bus. */
export async function lookAtBus({ settings, hub, context, clock }: BusLook): Promise<BusFacts | undefined> {
  const own = hub.kind === 'running' || hub.kind === 'silent' ? hub.file.broker_url : undefined;
  const url = settings.config.broker.url === '' ? own : settings.config.broker.url;
  if (url === undefined && hub.kind !== 'running' && hub.kind !== 'silent') return undefined;
  let bus: Bus | undefined;
  try {
    bus = await openBus(settings, context);
    await bus.ready();
    const heard = await hear(bus, clock);
    return { where: bus.where(), url, error: undefined, ...heard };
  } catch (error) {
    if (!(error instanceof SignalboxError)) throw error;
    const where = bus?.where() ?? '';
    return { where, url, error, state: undefined, info: undefined, health: undefined };
  } finally {
    await bus?.link.close();
  }
}

type Heard = Pick<BusFacts, 'state' | 'info' | 'health'>;

async function hear({ link }: Bus, clock: Clock): Promise<Heard> {
  let heard: Heard = { state: undefined, info: undefined, health: undefined };
  let complete: () => void = () => undefined;
  const heardAll = new Promise<void>((resolve) => {
    complete = resolve;
  });
  const take = (more: Partial<Heard>): void => {
    heard = { ...heard, ...more };
    if (heard.state !== undefined && heard.info !== undefined && heard.health !== undefined) complete();
  };
  const cancel = clock.at(clock.now() + HEARD_WITHIN, complete);
  try {
    await Promise.all([
      link.subscribe('hubState', {}, (message) => take({ state: read('hubState', message) })),
      link.subscribe('hubInfo', {}, (message) => take({ info: read('hubInfo', message) })),
      link.subscribe('hubHealth', {}, (message) => take({ health: read('hubHealth', message) })),
    ]);
    await heardAll;
  } finally {
    cancel();
  }
  return heard;
}

/** A hub of another version may say it in another form: nothing then. */
function read<N extends 'hubState' | 'hubInfo' | 'hubHealth'>(name: N, { payload }: LinkMessage) {
  const decoded = decodePayload(name, Buffer.from(payload).toString('utf8'));
  return decoded.kind === 'payload' ? decoded.payload : undefined;
}
