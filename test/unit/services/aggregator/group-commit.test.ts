import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { GroupCommit } from '../../../../services/aggregator/group-commit.ts';

/** A group commit whose work notes its groups and doubles numbers; a job of 13 breaks its group. */
function doubling(most?: number): { group: GroupCommit<number, number>; groups: number[][] } {
  const groups: number[][] = [];
  const group = new GroupCommit<number, number>({
    work(jobs) {
      groups.push([...jobs]);
      if (jobs.includes(13)) throw new Error('the disk is full');
      return jobs.map((job) => job * 2);
    },
    ...(most === undefined ? {} : { most }),
  });
  return { group, groups };
}

describe('group commit', () => {
  it('takes what arrives in one turn together, in order, each with its own result', async () => {
    const { group, groups } = doubling();
    expect(await Promise.all([1, 2, 3].map((job) => group.submit(job)))).toEqual([2, 4, 6]);
    expect(await group.submit(4)).toBe(8);
    expect(groups).toEqual([[1, 2, 3], [4]]);
  });

  it('does nothing within the turn of the submission', async () => {
    const { group, groups } = doubling();
    const result = group.submit(1);
    expect([group.waiting, groups]).toEqual([1, []]);
    await result;
    expect(group.waiting).toBe(0);
  });

  it('resolves in the order of submission', async () => {
    const { group } = doubling(2);
    const order: number[] = [];
    await Promise.all([5, 4, 3, 2, 1].map((job) => group.submit(job).then(() => order.push(job))));
    expect(order).toEqual([5, 4, 3, 2, 1]);
  });

  it('splits a crowd, and lets others have their turn in between', async () => {
    const { group, groups } = doubling(2);
    const all = Promise.all([1, 2, 3, 4, 5].map((job) => group.submit(job)));
    let turns = 0;
    while (group.waiting > 0) {
      await nextTurn();
      turns += 1;
    }
    expect(await all).toEqual([2, 4, 6, 8, 10]);
    expect(groups).toEqual([[1, 2], [3, 4], [5]]);
    expect(turns).toBeGreaterThanOrEqual(3);
  });

  it('rejects the group that failed and goes on with the next', async () => {
    const { group } = doubling(2);
    const results = await Promise.allSettled([12, 13, 14, 15].map((job) => group.submit(job)));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled', 'fulfilled']);
    expect(results[0]).toMatchObject({
      reason: expect.objectContaining({ message: 'the disk is full' }) as Error,
    });
    expect(await group.submit(1)).toBe(2);
  });

  it('rejects a group whose work lost a result', async () => {
    const group = new GroupCommit<number, number>({ work: () => [] });
    await expect(group.submit(1)).rejects.toThrow('0 results of 1 jobs');
  });

  it('commits all that waits when it is flushed, and goes on afterwards', async () => {
    const { group, groups } = doubling(2);
    const all = Promise.all([1, 2, 3].map((job) => group.submit(job)));
    group.flush();
    expect([group.waiting, groups]).toEqual([0, [[1, 2], [3]]]);
    expect(await all).toEqual([2, 4, 6]);
    await nextTurn();
    expect(groups).toHaveLength(2);
    expect(await group.submit(4)).toBe(8);
    group.flush();
    expect(groups).toHaveLength(3);
  });

  it('takes a job that its own work submits in a later group', async () => {
    const groups: number[][] = [];
    let inner: Promise<number> | undefined;
    const group: GroupCommit<number, number> = new GroupCommit({
      work(jobs) {
        groups.push([...jobs]);
        inner ??= group.submit(9);
        return [...jobs];
      },
    });
    await group.submit(1);
    expect(await inner).toBe(9);
    expect(groups).toEqual([[1], [9]]);
  });
});
