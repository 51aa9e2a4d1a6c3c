import { readFileSync, statSync } from 'node:fs';

/** Linux notes a terminal's input only when the time differs in more than its lowest three bits, so that nobody reads keystrokes off it (drivers/tty/tty_io.c, `tty_update_time`). */
const BLUR_SECONDS = 7;

/**
 * When the terminal of a process had its last input, at the latest: the system blurs it to 8 s. Undefined where that can't be told: another system, no terminal, somebody else's process.
 * @param now unix ms @returns unix ms, never after `now`
 */
export function lastTerminalInput(pid: number, now: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const terminal = terminalOf(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    if (terminal === undefined) return undefined;
    // Reading from a terminal is its access, writing its modification.
    const seconds = Math.floor(statSync(terminal).atimeMs / 1000);
    return Math.min(now, ((seconds | BLUR_SECONDS) + 1) * 1000);
  } catch {
    return undefined;
  }
}

/** proc(5): field 7 is the number of the controlling terminal; the second field is the program's name in parentheses, which may hold anything. */
function terminalOf(stat: string): string | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const device = Number(fields[4]);
  const major = (device >> 8) & 0xfff;
  const minor = (device & 0xff) | ((device >> 12) & 0xfff00);
  // Documentation/admin-guide/devices.txt: 136 to 143 are the Unix98 pseudo terminals, 4 the consoles.
  if (major >= 136 && major <= 143) return `/dev/pts/${(major - 136) * 256 + minor}`;
  return major === 4 && minor > 0 && minor < 64 ? `/dev/tty${minor}` : undefined;
}
