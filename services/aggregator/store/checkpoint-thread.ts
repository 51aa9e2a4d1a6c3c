import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { Log } from '../../../runtime/log.ts';
import { reasonOf } from '../../../runtime/database/database-store.ts';

/**
 * Copies the write-ahead log back into the database on a thread of its own. It never blocks the writer: SQLite's passive checkpoint takes no lock that a commit needs. Done inside the
 * commits, it costs the hub's only thread 10 to 40 ms every thousand pages, and under load a third of its events per second.
 */
export interface CheckpointThread {
  /** Tells that a commit has written so many rows; asks the thread for its work from time to time. */
  written(rows: number): void;
  /** Asks for a checkpoint now; nothing when one is under way. */
  request(): void;
  /** Ends the thread, after the checkpoint that may be under way. */
  stop(): Promise<void>;
}

export interface CheckpointThreadOptions {
  readonly path: string;
  readonly log: Log;
  /** Rows between two checkpoints: up to four pages each when they come one by one. */
  readonly everyRows?: number;
}

const EVERY_ROWS = 1000;
/** Enough for the driver; the young generation would else reserve 16 MB. */
const LIMITS = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 } as const;

/**
 * Text, because it has to run from sources, from the build and in tests alike. It opens the database for each checkpoint and must not make one: in between, the file may
 * have been moved aside.
 */
const THREAD = `
  const { parentPort, workerData } = require('node:worker_threads');
  const Database = require(workerData.driver);
  parentPort.on('message', () => {
    let problem;
    try {
      const database = new Database(workerData.path, { fileMustExist: true });
      try {
        database.pragma('wal_checkpoint(PASSIVE)');
      } finally {
        database.close();
      }
    } catch (error) {
      problem = String(error);
    }
    parentPort.postMessage(problem);
  });
`;

/** Creates the thread's owner; the thread itself starts with the first work. */
export function createCheckpointThread(options: CheckpointThreadOptions): CheckpointThread {
  const { path, log, everyRows = EVERY_ROWS } = options;
  let worker: Worker | undefined;
  let busy = false;
  let failed = false;
  let rows = 0;

  function start(): Worker {
    const driver = createRequire(import.meta.url).resolve('better-sqlite3');
    const started = new Worker(THREAD, { eval: true, workerData: { driver, path }, resourceLimits: LIMITS });
    started.unref();
    started.on('message', (problem: string | undefined) => {
      busy = false;
      if (problem !== undefined) log.debug('a checkpoint was not made', { path, reason: problem });
    });
    started.on('error', (error) => {
      // The commits checkpoint themselves then, a little later.
      failed = true;
      log.warn('the checkpoint thread has ended', { path, reason: reasonOf(error) });
    });
    return started;
  }

  function request(): void {
    if (busy || failed) return;
    rows = 0;
    busy = true;
    worker ??= start();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's, not a window's
    worker.postMessage('checkpoint');
  }

  return {
    request,
    written(count) {
      rows += count;
      if (rows >= everyRows) request();
    },
    async stop() {
      const ending = worker;
      worker = undefined;
      busy = false;
      await ending?.terminate();
    },
  };
}
