import { systemClock } from '../../runtime/clock.ts';
import { createLog } from '../../runtime/log.ts';
import { type Bus, openBus } from '../bus.ts';
import type { CommandContext } from '../context.ts';
import { commandOf } from '../own-command.ts';
import { loadSettings } from '../settings.ts';
import { Board } from '../status/board.ts';
import { FORMATS } from '../status/format.ts';
import { watchStatus } from '../status/watch.ts';
import { ACTS } from './acts.ts';
import { watchHints } from './intro.ts';
import { play } from './play.ts';
import { type PrivateHub, startPrivateHub } from './private-hub.ts';
import { startShow } from './show.ts';

export interface DemoOptions {
  readonly speed: number;
}

/** `signalbox demo`: a scripted day of three agents on a hub of its own, until it is over or Ctrl-C. @throws what `startHub` throws, `no_hub`, `not_delivered` */
export async function runDemo({ speed }: DemoOptions, context: CommandContext): Promise<void> {
  // From here on Ctrl-C means an orderly end, also while the hub is starting.
  const ending = context.ending();
  const held = holdBack(context);
  const log = createLog({ level: 'warn', format: 'pretty', stream: held });
  let events: number | undefined;
  try {
    const hub = await startPrivateHub(context, { clock: systemClock(), log });
    try {
      events = await perform(hub, { speed, ending });
    } finally {
      await hub.stop();
    }
  } finally {
    held.release();
  }
  context.stdout.write(events === undefined ? ENDED : summary(events, commandOf(context.env)));
}

const ENDED = 'The demo has ended; nothing of it is left.\n';

interface Performance {
  readonly speed: number;
  readonly ending: AbortSignal;
}

/** @returns how many events went out; undefined: the user has ended it */
async function perform(hub: PrivateHub, { speed, ending }: Performance): Promise<number | undefined> {
  const { folder, mqttPort, context } = hub;
  const settings = loadSettings(context, {});
  const clock = systemClock();
  const format = await FORMATS.text();
  const keys = new AbortController();
  const bus: Bus = await openBus(settings, context);
  try {
    const board = new Board(settings.registry);
    const watch = watchStatus(bus, board, clock);
    const show = startShow({
      following: { watch, board, format, clock, context },
      title: 'Signalbox demo: a day of three agents in a minute, on a hub of its own.',
      hints: watchHints({ folder, mqttPort, command: commandOf(context.env) }),
      onEnd: () => keys.abort(),
    });
    try {
      await watch.settled();
      const signal = AbortSignal.any([ending, keys.signal]);
      const events = await play(ACTS, { link: bus.link, clock, show, speed, signal });
      return signal.aborted ? undefined : events;
    } finally {
      show.close();
    }
  } finally {
    await bus.link.close();
  }
}

function summary(events: number, command: string): string {
  return [
    `That was the day: ${events} recorded events through a real hub, which is gone again.`,
    '',
    `Next:  ${command} up`,
    '       docs/getting-started.md says how to connect your agents',
    '',
  ].join('\n');
}

/** What the hub complains of is for after the show: on the screen it would be drawn over. */
function holdBack({ stderr }: CommandContext): { write(text: string): void; release(): void } {
  let lines = '';
  return {
    write(text) {
      lines += text;
    },
    release() {
      if (lines !== '') stderr.write(lines);
      lines = '';
    },
  };
}
