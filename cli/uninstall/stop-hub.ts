import { existsSync } from 'node:fs';
import { SignalboxError } from '../../protocol/errors.ts';
import { type HubFile, hubAlive } from '../../runtime/hub-file.ts';
import { lockHub } from '../../runtime/hub-lock-store.ts';
import type { Paths } from '../../runtime/paths.ts';

/** A hub finishes what it has begun; see `up` [ms]. */
const STOP_WITHIN = 30_000;
/** Between two looks [ms]. */
const PAUSE = 50;

/** Asks a hub to stop, as Ctrl-C does, and waits for its end. @returns false when it had ended already @throws SignalboxError `hub_stays` */
export async function stopHub(hub: HubFile): Promise<boolean> {
  const { pid } = hub;
  const liveness = await hubAlive(hub);
  if (liveness === 'gone') return false;
  // A process that is not known to be the hub may be anybody.
  if (liveness === 'unknown')
    throw new SignalboxError('hub_stays', { pid, reason: "can't be seen from here" });
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw new SignalboxError('hub_stays', { pid, reason: 'belongs to somebody else' }, { cause: error });
  }
  for (const end = Date.now() + STOP_WITHIN; Date.now() < end; ) {
    if ((await hubAlive(hub)) === 'gone') return true;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  throw new SignalboxError('hub_stays', { pid, reason: `did not stop within ${STOP_WITHIN / 1000} s` });
}

/** Makes sure that no hub has the folder: one that is only starting, or runs in another container, can't be seen otherwise. @throws SignalboxError `hub_running`, `folder_unusable` */
export async function expectNoHub(paths: Paths): Promise<void> {
  if (existsSync(paths.hubLock)) (await lockHub(paths)).release();
}
