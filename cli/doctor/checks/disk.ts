import { type StatsFs, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { bytesText } from '../../terminal/bytes.ts';
import { broken, type Check, ok, warning } from '../check.ts';

/** Below this the next write-ahead log may not fit [bytes]. */
const FULL = 20 * 1024 * 1024;
const NEARLY_FULL = 200 * 1024 * 1024;
/** Of inodes, where the file system counts them. */
const FEW_FILES = 100;

export const diskCheck: Check = {
  name: 'disk',
  run({ paths: { data } }) {
    const { bavail, bsize, files, ffree } = statfs(data);
    const free = bavail * bsize;
    const room = `${bytesText(free)} free`;
    const mend = `Make room on the file system of ${data}; "history.days" says how long events are kept.`;
    const numbers = { free_bytes: free };
    if (free < FULL)
      return [broken('disk_full', `The disk is full: ${room}. No event can be kept.`, mend, numbers)];
    if (files > 0 && ffree < FEW_FILES)
      return [broken('disk_full', `The disk takes only ${ffree} more files.`, mend, numbers)];
    if (free < NEARLY_FULL)
      return [warning('disk_nearly_full', `The disk is nearly full: ${room}.`, mend, numbers)];
    return [ok(room, numbers)];
  },
};

/** Of the folder, or of the first one above that is there. */
function statfs(path: string): StatsFs {
  for (let at = path; ; at = dirname(at)) {
    try {
      return statfsSync(at);
    } catch (error) {
      if (at === dirname(at)) throw error;
    }
  }
}
