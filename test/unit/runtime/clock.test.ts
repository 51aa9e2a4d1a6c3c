import { describe, expect, it } from 'vitest';
import { type ClockSources, systemClock } from '../../../runtime/clock.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

const START = Date.UTC(2026, 5, 1, 12);
const HOUR = 3_600_000;

/** A machine: its wall clock and its timers can go apart, as on a real one. */
function machine() {
  let wall = START;
  let monotonic = 1000;
  let timers: { readonly at: number; readonly run: () => void }[] = [];
  let armed = 0;

  const sources: ClockSources = {
    wall: () => wall,
    monotonic: () => monotonic,
    timer(ms, run) {
      armed += 1;
      const timer = { at: monotonic + ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
  };

  function pass(ms: number): void {
    const until = monotonic + ms;
    for (;;) {
      const next = timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      const step = Math.max(0, next.at - monotonic);
      wall += step;
      monotonic += step;
      timers = timers.filter((other) => other !== next);
      next.run();
    }
    wall += until - monotonic;
    monotonic = until;
  }

  return {
    sources,
    pass,
    /** Somebody sets the clock, or the machine sleeps with its monotonic clock standing still (Linux). */
    setWall: (ms: number) => {
      wall += ms;
    },
    /** The machine sleeps and its monotonic clock goes on (macOS, Windows): timers come late, all at once. */
    sleepWithBothClocks: (ms: number) => {
      wall += ms;
      monotonic += ms;
    },
    timers: () => timers.length,
    armed: () => armed,
  };
}

describe('the system clock', () => {
  it('runs deadlines at their moment, in their order, once', () => {
    const { sources, pass } = machine();
    const clock = systemClock(sources);
    const ran: string[] = [];
    const note = (name: string) => () => void ran.push(`${name} ${clock.now() - START}`);
    clock.at(START + 5000, note('late'));
    clock.at(START + 30, note('soon'));
    clock.at(START + 30, note('soon too'));
    pass(29);
    expect(ran).toEqual([]);
    pass(10_000);
    expect(ran).toEqual(['soon 30', 'soon too 30', 'late 5000']);
  });

  it('runs what has passed already as soon as possible, but not within the call', () => {
    const { sources, pass } = machine();
    const clock = systemClock(sources);
    let ran = 0;
    clock.at(START - HOUR, () => {
      ran += 1;
    });
    expect(ran).toBe(0);
    pass(0);
    expect(ran).toBe(1);
  });

  it('waits for 26 days although a timer holds less than 25', () => {
    const { sources, pass } = machine();
    const clock = systemClock(sources);
    const wait = 26 * 24 * HOUR;
    let ran = 0;
    clock.at(START + wait, () => {
      ran += 1;
    });
    pass(wait - 1);
    expect(ran).toBe(0);
    pass(1);
    expect(ran).toBe(1);
  });

  it('runs nothing that was taken back, also by one that ran just before, and then rests', () => {
    const { sources, pass, timers } = machine();
    const clock = systemClock(sources);
    const ran: string[] = [];
    const cancel = clock.at(START + 10, () => ran.push('taken back'));
    const second = { cancel: () => {} };
    clock.at(START + 20, () => {
      ran.push('first');
      second.cancel();
    });
    second.cancel = clock.at(START + 20, () => ran.push('second'));
    cancel();
    cancel();
    pass(100);
    expect(ran).toEqual(['first']);
    expect(timers()).toBe(0);
  });

  it('runs no timer while nothing is pending, and one for all deadlines', () => {
    const { sources, timers, pass } = machine();
    const clock = systemClock(sources);
    clock.onJump(() => {});
    expect(timers()).toBe(0);
    const cancels = [1, 2, 3].map((hours) => clock.at(START + hours * HOUR, () => {}));
    expect(timers()).toBe(1);
    pass(HOUR - 1000);
    expect(timers()).toBe(1);
    for (const cancel of cancels) cancel();
    expect(timers()).toBe(0);
  });

  it('looks at the wall clock every 2 s at most while a deadline is far', () => {
    const { sources, armed, pass } = machine();
    systemClock(sources).at(START + HOUR, () => {});
    pass(60_000);
    expect(armed()).toBeLessThanOrEqual(31);
  });

  it('sets a deadline of a callback as well as any other', () => {
    const { sources, pass } = machine();
    const clock = systemClock(sources);
    const ran: number[] = [];
    const again = (): void => {
      ran.push(clock.now() - START);
      if (ran.length < 3) clock.at(clock.now() + 10, again);
    };
    clock.at(START + 10, again);
    pass(100);
    expect(ran).toEqual([10, 20, 30]);
  });

  it('goes on with the other deadlines when one throws', () => {
    const { sources, pass } = machine();
    const clock = systemClock(sources);
    let ran = 0;
    clock.at(START + 10, () => {
      throw new Error('broken');
    });
    clock.at(START + 20, () => {
      ran += 1;
    });
    expect(() => pass(10)).toThrow('broken');
    pass(10);
    expect(ran).toBe(1);
  });

  it.each([
    ['the wall clock is set forward', (m: ReturnType<typeof machine>) => m.setWall(8 * HOUR)],
    ['the machine sleeps, its timers too', (m: ReturnType<typeof machine>) => m.setWall(8 * HOUR)],
    [
      'the machine sleeps, its timers come late',
      (m: ReturnType<typeof machine>) => m.sleepWithBothClocks(8 * HOUR),
    ],
  ])('tells the jump, then runs what is due, when %s', (_what, jump) => {
    const m = machine();
    const clock = systemClock(m.sources);
    const heard: string[] = [];
    clock.onJump((ms) => heard.push(`jump of ${Math.round(ms / HOUR)} h`));
    clock.at(START + HOUR, () => heard.push('due'));
    clock.at(START + 9 * HOUR, () => heard.push('not due'));
    m.pass(10_000);
    jump(m);
    m.pass(2000);
    expect(heard).toEqual(['jump of 8 h', 'due']);
  });

  it('tells when the wall clock is set back, and keeps the deadline in wall time', () => {
    const m = machine();
    const clock = systemClock(m.sources);
    const heard: string[] = [];
    clock.onJump((ms) => heard.push(`jump of ${ms / HOUR} h`));
    clock.at(START + 10_000, () => heard.push('due'));
    m.setWall(-HOUR);
    m.pass(10_000);
    expect(heard).toEqual(['jump of -1 h']);
    m.pass(HOUR);
    expect(heard).toEqual(['jump of -1 h', 'due']);
  });

  it('takes drift for drift: many small corrections, a day without deadlines', () => {
    const m = machine();
    const clock = systemClock(m.sources);
    const jumps: number[] = [];
    clock.onJump((ms) => jumps.push(ms));
    m.pass(24 * HOUR);
    m.setWall(3000);
    const cancel = clock.at(clock.now() + 24 * HOUR, () => {});
    m.pass(10_000);
    for (let second = 0; second < 600; second += 1) {
      m.setWall(100);
      m.pass(1000);
    }
    cancel();
    expect(jumps).toEqual([]);
  });

  it('tells one jump once, and nobody who has left', () => {
    const m = machine();
    const clock = systemClock(m.sources);
    const heard: string[] = [];
    clock.onJump(() => heard.push('stays'));
    const leave = clock.onJump(() => heard.push('left'));
    leave();
    clock.at(START + 24 * HOUR, () => {});
    m.setWall(HOUR);
    m.pass(60_000);
    expect(heard).toEqual(['stays']);
  });

  it('runs on the real time of this machine', async () => {
    const clock = systemClock();
    const ran = await new Promise<number>((resolve) => clock.at(clock.now() + 5, () => resolve(clock.now())));
    expect(ran).toBeGreaterThanOrEqual(START);
  });
});

describe('the virtual clock of the tests', () => {
  it('passes time through every deadline on the way', () => {
    const clock = virtualClock(START);
    const ran: string[] = [];
    clock.at(START + 20, () => ran.push(`b ${clock.now() - START}`));
    clock.at(START + 10, () => {
      ran.push(`a ${clock.now() - START}`);
      clock.at(START + 15, () => ran.push(`c ${clock.now() - START}`));
    });
    clock.advance(30);
    expect(ran).toEqual(['a 10', 'c 15', 'b 20']);
    expect(clock.now()).toBe(START + 30);
    expect(clock.pending()).toBe(0);
  });

  it('jumps like a real one: told first, then all that is due at the new time', () => {
    const clock = virtualClock(START);
    const ran: string[] = [];
    clock.onJump((ms) => ran.push(`jump ${ms}`));
    clock.at(START + 10, () => ran.push(`due ${clock.now() - START}`));
    clock.jump(HOUR);
    clock.jump(-HOUR);
    expect(ran).toEqual([`jump ${HOUR}`, `due ${HOUR}`, `jump ${-HOUR}`]);
  });
});
