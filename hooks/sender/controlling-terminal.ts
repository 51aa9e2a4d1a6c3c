import { readFileSync } from 'node:fs';

/**
 * The terminal that the agent runs in, as a path: our own, or the parent's (Claude Code starts its hooks without one). Linux only: elsewhere it would take a program to find out, and
 * the hub can look itself.
 */
export function controllingTerminal(ppid: number): string | undefined {
  if (process.platform !== 'linux') return undefined;
  return terminalOf('self') ?? terminalOf(String(ppid));
}

function terminalOf(process: string): string | undefined {
  try {
    return terminalOfStat(readFileSync(`/proc/${process}/stat`, 'utf8'));
  } catch {
    return undefined;
  }
}

/** The terminal in a line of /proc/PID/stat: field 7 is its device number (proc(5)); 136 to 143 are pseudo-terminals, 4 the consoles (devices.txt). */
export function terminalOfStat(stat: string): string | undefined {
  const device = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[4]);
  const major = (device >> 8) & 0xfff;
  const minor = (device & 0xff) | ((device >> 12) & 0xfff00);
  if (major >= 136 && major <= 143) return `/dev/pts/${(major - 136) * 256 + minor}`;
  return major === 4 ? `/dev/tty${minor}` : undefined;
}
