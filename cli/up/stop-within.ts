import type { Log } from '../../runtime/log.ts';
import type { Hub } from './hub.ts';

/** After this a stop that hangs is ended by force [ms]. */
const STOP_WITHIN = 2_000;

/** Stops a hub; the process is ended with status 1 when that takes longer than 2 s. */
export async function stopWithin(hub: Hub, log: Log): Promise<void> {
  const force = setTimeout(() => {
    log.error('the hub did not stop in time and is ended');
    process.exit(1);
  }, STOP_WITHIN);
  await hub.stop();
  // Whatever is left then must not keep the process from its end either.
  force.unref();
}
