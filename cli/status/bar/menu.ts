import { type Bar } from './bar.ts';
import { agentText, sessionText, signalText, withGlyph } from './bar-text.ts';
import type { OwnCommand } from './menu-command.ts';
import type { BarState } from './sign.ts';

/** One line of a menu. Its text never begins with what comes from outside. */
export interface MenuLine {
  readonly text: string;
  /** Whose colour it has; none: the menu's own. */
  readonly state?: BarState;
  /** What a click runs. */
  readonly command?: readonly string[];
  /** In the submenu of the line above. */
  readonly below?: true;
}

export const SEPARATOR = '---';

/** Longest list of sessions; a menu that runs off the screen helps nobody. */
const MOST_SESSIONS = 20;

/** The menu below the bar: agents, their sessions with what can be said to each, and what can be said to all. */
export function menuOf(bar: Bar, command: OwnCommand): (MenuLine | typeof SEPARATOR)[] {
  if (bar.state === 'offline')
    return [{ text: withGlyph('offline', 'No hub is there. States are not known.'), state: 'offline' }];
  return [...agentLines(bar, command), SEPARATOR, ...wordLines(bar, command)];
}

function agentLines({ providers, sessions, now }: Bar, command: OwnCommand): MenuLine[] {
  if (providers.length === 0) return [{ text: 'No agent has reported yet.' }];
  const shown = new Set(sessions.slice(0, MOST_SESSIONS));
  const lines = providers.flatMap(({ provider, signal }) => {
    const own = [...shown].filter((session) => session.provider === provider);
    const text = own.length === 0 ? signalText(signal, now) : agentText(signal);
    const head = { text: withGlyph(signal.lamp, text), state: signal.lamp };
    return [
      head,
      ...own.flatMap((session): MenuLine[] => [
        { text: withGlyph(session.lamp, sessionText(session, now)), state: session.lamp },
        ...(session.state === 'needs_user' ? sessionWords(session.key, command) : []),
      ]),
    ];
  });
  const hidden = sessions.length - shown.size;
  return hidden > 0 ? [...lines, { text: `and ${hidden} more` }] : lines;
}

/** Keys are hex digits of our own making, so they may stand in a command. */
function sessionWords(key: string, command: OwnCommand): MenuLine[] {
  return [
    { text: 'Acknowledge', command: command('ack', key), below: true },
    { text: 'Snooze for 10 min', command: command('snooze', key), below: true },
  ];
}

function wordLines({ state, waits }: Bar, command: OwnCommand): MenuLine[] {
  return [
    ...(waits > 0 ? [{ text: 'Acknowledge all that waits', command: command('ack') }] : []),
    state === 'paused'
      ? { text: 'Resume', command: command('resume') }
      : { text: 'Pause for 30 min', command: command('pause', '30') },
  ];
}
