import { describe, expect, it } from 'vitest';
import { SenderClocks, senderClocksOf } from '../../../../services/aggregator/sender-clocks.ts';

const MINUTE = 60_000;

/** The part of a database that keeps names and values. */
function keeper(before?: string) {
  const kept = new Map<string, string>(before === undefined ? [] : [['sender_clocks', before]]);
  let writes = 0;
  return {
    kept,
    writes: () => writes,
    meta: (name: string) => kept.get(name),
    setMeta(name: string, value: string) {
      writes += 1;
      kept.set(name, value);
    },
  };
}

const clock = (ahead_ms: number, at: number, host = 'pi') => ({ provider: 'claude', host, ahead_ms, at });

describe('the clocks of senders', () => {
  it('cost nothing while they are right', () => {
    const store = keeper();
    const clocks = new SenderClocks({ store });
    for (let at = 0; at < 100; at += 1) clocks.note(clock(-40, at));
    expect(store.writes()).toBe(0);
  });

  it('are written when one is off, when that changes, and rarely else', () => {
    const store = keeper();
    const clocks = new SenderClocks({ store });
    for (let at = 0; at < 100; at += 1) clocks.note(clock(5 * MINUTE + at, at));
    expect(store.writes()).toBe(1);
    clocks.note(clock(9 * MINUTE, 200));
    clocks.note(clock(9 * MINUTE, 11 * MINUTE));
    expect(store.writes()).toBe(3);
    expect(senderClocksOf(store.kept)).toEqual([clock(9 * MINUTE, 11 * MINUTE)]);
  });

  it('are forgotten when one is right again, also after a restart', () => {
    const store = keeper(JSON.stringify([clock(5 * MINUTE, 1), clock(-5 * MINUTE, 1, 'laptop')]));
    new SenderClocks({ store }).note(clock(0, 2));
    expect(senderClocksOf(store.kept)).toEqual([clock(-5 * MINUTE, 1, 'laptop')]);
  });

  it('are few, whatever names of hosts are sent: the newest', () => {
    const store = keeper();
    const clocks = new SenderClocks({ store });
    for (let at = 0; at < 1_000; at += 1) clocks.note(clock(5 * MINUTE, at, `host-${at}`));
    const hosts = senderClocksOf(store.kept).map(({ host }) => host);
    expect([hosts.length, hosts.at(-1)]).toEqual([32, 'host-999']);
  });

  it.each([['{'], ['{}'], ['[null,1,{"provider":"claude"}]']])(
    'what can’t be read is nothing: %s',
    (text) => {
      expect(senderClocksOf(keeper(text).kept)).toEqual([]);
    },
  );

  it('what could not be written is told again', () => {
    const store = keeper();
    const clocks = new SenderClocks({
      store: {
        meta: store.meta,
        setMeta(name, value) {
          if (store.writes() === 0) {
            store.setMeta(name, '');
            throw new Error('the disk is full');
          }
          store.setMeta(name, value);
        },
      },
    });
    expect(() => clocks.note(clock(5 * MINUTE, 1))).toThrow('full');
    clocks.note(clock(5 * MINUTE, 2));
    expect(senderClocksOf(store.kept)).toHaveLength(1);
  });
});
