import type { TopicName } from '../../protocol/topics.ts';
import type { Cancel, Clock } from '../../runtime/clock.ts';
import type { LinkMessage } from '../../runtime/link.ts';
import type { Bus } from '../bus.ts';
import { type Board, BOARD_TOPICS } from './board.ts';

/**
 * A broker does not say which retained message is the last one. When nothing is missing of what the hub has announced, a short silence is enough; else a longer one. A
 * bus that says nothing of a hub is listened to until the end [ms].
 */
const SILENCE = { all: 20, some: 300, nothing: Number.POSITIVE_INFINITY };
/** Nobody announces how many there are of what is watched besides [ms]. */
const SILENCE_BESIDES = 200;
/** A busy bus is never silent [ms]. */
const SETTLED_AFTER = 1_500;
/** The topics that one event changes arrive one after the other: they are one change [ms]. */
const TOGETHER = 15;

export interface WatchedTopic {
  readonly name: TopicName;
  readonly take: (message: LinkMessage) => void;
  /** An account that may not see it sees the rest. */
  readonly optional?: true;
}

export interface StatusWatch {
  /** Resolves when the board holds what the bus holds. @throws SignalboxError `no_hub`, `subscription_refused` */
  settled(): Promise<void>;
  /** Calls back for each change of the board from when it is settled, and when the hub is gone or can't be reached. */
  onChange(callback: () => void): void;
}

/**
 * Keeps a board as the bus is, also over lost connections.
 * @param also more that settles with it: a topic, and who takes its messages
 */
export function watchStatus(bus: Bus, board: Board, clock: Clock, also?: WatchedTopic): StatusWatch {
  const { link } = bus;
  let isSettled = false;
  let isOutdated = false;
  let timer: Cancel | undefined;
  let deadline: number | undefined;
  let resolveSettled: () => void = () => undefined;
  let report: () => void = () => undefined;
  const granted = [
    ...BOARD_TOPICS.map((name) => subscribe(name, takeIn)),
    ...(also === undefined ? [] : [subscribe(also.name, also.take)]),
  ];

  function subscribe(name: TopicName, take: (message: LinkMessage) => void) {
    const promise = link.subscribe(name, {}, (message) => {
      take(message);
      later();
    });
    return { name, promise };
  }

  function takeIn({ name, params, payload }: LinkMessage): void {
    if (isOutdated) board.forget();
    isOutdated = false;
    board.take(name, params, Buffer.from(payload).toString('utf8'), clock.now());
  }

  function later(): void {
    // A bus that is never silent must not put a change off for ever.
    if (isSettled && timer !== undefined) return;
    const now = clock.now();
    if (isSettled) {
      timer = clock.at(now + TOGETHER, settle);
      return;
    }
    timer?.();
    const silence = Math.max(SILENCE[board.heard], also === undefined ? 0 : SILENCE_BESIDES);
    timer = clock.at(Math.min(now + silence, deadline ?? now + SETTLED_AFTER), settle);
  }

  function settle(): void {
    timer = undefined;
    isSettled = true;
    if (board.heard === 'nothing') board.lost('it says nothing of itself', clock.now());
    resolveSettled();
    report();
  }

  link.onConnect(() => {
    deadline = clock.now() + SETTLED_AFTER;
    later();
  });
  link.onLost((reason) => {
    timer?.();
    timer = undefined;
    deadline = undefined;
    isSettled = false;
    isOutdated = true;
    board.lost(reason, clock.now());
    report();
  });

  return {
    async settled() {
      const first = new Promise<void>((resolve) => {
        resolveSettled = resolve;
      });
      try {
        await bus.ready();
      } catch (error) {
        board.lost('it does not answer', clock.now());
        report();
        throw error;
      }
      // A display's account may see the signals but not who the hub is.
      const needed = granted.filter(
        ({ name }) => name !== 'hubInfo' && !(name === also?.name && also.optional),
      );
      await Promise.all(needed.map(({ promise }) => promise));
      await first;
    },
    onChange(callback) {
      report = callback;
    },
  };
}
