/** Deals with a group of jobs at once and commits what comes of them; the results are in the order of the jobs. */
export type GroupWork<Job, Result> = (jobs: readonly Job[]) => readonly Result[];

export interface GroupCommitOptions<Job, Result> {
  readonly work: GroupWork<Job, Result>;
  /** Most jobs of one group: about 7 ms of one transaction at 1,000 rows. */
  readonly most?: number;
}

interface Waiting<Job, Result> {
  readonly job: Job;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

const MOST = 1000;

/**
 * Collects what arrives in one turn of the event loop and has it committed together: a lone job waits for nothing, a crowd shares one transaction (spec: bus, "Durability" 1).
 */
export class GroupCommit<Job, Result> {
  readonly #work: GroupWork<Job, Result>;
  readonly #most: number;
  #waiting: Waiting<Job, Result>[] = [];
  #scheduled: NodeJS.Immediate | undefined;

  constructor({ work, most = MOST }: GroupCommitOptions<Job, Result>) {
    this.#work = work;
    this.#most = most;
  }

  /** How many jobs wait for their group. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Resolves to the job's result once its group is committed; rejects with what the group's work threw. Groups keep the order of submission. */
  submit(job: Job): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, resolve, reject });
      this.#schedule();
    });
  }

  /** Commits everything that waits, now. For an orderly end. */
  flush(): void {
    while (this.#waiting.length > 0) this.#commitGroup();
    if (this.#scheduled !== undefined) clearImmediate(this.#scheduled);
    this.#scheduled = undefined;
  }

  #schedule(): void {
    this.#scheduled ??= setImmediate(() => {
      this.#scheduled = undefined;
      this.#commitGroup();
      // The rest waits for another turn, so that sockets and timers get theirs between two groups.
      if (this.#waiting.length > 0) this.#schedule();
    });
  }

  #commitGroup(): void {
    const group = this.#waiting.splice(0, this.#most);
    try {
      const results = this.#work(group.map(({ job }) => job));
      if (results.length !== group.length)
        throw new RangeError(`${results.length} results of ${group.length} jobs`);
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}
