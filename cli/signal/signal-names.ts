import { SIGNAL_TABLE } from '../../protocol/event-table.ts';
import { SIGNAL_NAMES } from '../../protocol/events.ts';
import { LAMP_STATES } from '../../protocol/states.ts';

/** The raw signals by the lamp they show, one line a lamp. @param indent spaces in front of each line */
export function signalNames(indent: number): string {
  return LAMP_STATES.map((lamp) => {
    const names = SIGNAL_NAMES.filter((name) => SIGNAL_TABLE[name].shows === lamp);
    return `${' '.repeat(indent)}${lamp.padEnd(14)}${names.join(' ')}`;
  }).join('\n');
}

/** The raw signals by the lamp they show, in one sentence's part. */
export function signalList(): string {
  return LAMP_STATES.map((lamp) => {
    const names = SIGNAL_NAMES.filter((name) => SIGNAL_TABLE[name].shows === lamp);
    return `${names.join(', ')} (${lamp})`;
  }).join('; ');
}
