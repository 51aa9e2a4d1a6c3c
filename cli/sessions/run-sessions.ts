import { byUrgency } from '../../protocol/urgency.ts';
import { systemClock } from '../../runtime/clock.ts';
import { openBus } from '../bus.ts';
import type { CommandContext } from '../context.ts';
import type { SettingOptions } from '../options.ts';
import { loadSettings } from '../settings.ts';
import { Board } from '../status/board.ts';
import { lookAt } from '../terminal/look.ts';
import { readSessions } from './read-sessions.ts';
import { sessionTable } from './session-table.ts';

export interface SessionsOptions extends SettingOptions {
  readonly all?: true;
  readonly json?: true;
}

/** `signalbox sessions`. @throws SignalboxError `no_hub`, `subscription_refused`, those of the settings */
export async function runSessions(options: SessionsOptions, context: CommandContext): Promise<void> {
  const settings = loadSettings(context, options);
  const { registry } = settings;
  const clock = systemClock();
  const bus = await openBus(settings, context);
  try {
    const found = await readSessions(bus, new Board(registry), clock);
    const shown = found.filter(({ state }) => options.all || state !== 'idle').sort(byUrgency);
    const nameOf = (slug: string): string => registry.find(slug)?.name ?? slug;
    const hidden = found.length - shown.length;
    context.stdout.write(
      options.json
        ? `${JSON.stringify({ sessions: shown }, undefined, 2)}\n`
        : sessionTable({ shown, all: found, hidden, nameOf, look: lookAt(context, clock.now()) }),
    );
  } finally {
    await bus.link.close();
  }
}
