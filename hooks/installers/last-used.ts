import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent, Machine } from './agent-hooks.ts';

/** Looked at in each folder; more tells nothing new. */
const MOST = 256;

/**
 * When an agent has last written something: the newest change in its folders and one level below, unix ms. An agent that is used keeps a history, its sessions or a cache there; what nobody has
 * touched for long is left over from a trial. `undefined`: it can't be told.
 */
export function lastUsed(agent: Agent, machine: Machine): number | undefined {
  const folders = [agent.folder(machine), ...(agent.traces?.(machine) ?? [])];
  const times = folders.flatMap((folder) => [...timeOf(folder), ...changes(folder, 1)]);
  return times.length === 0 ? undefined : Math.max(...times);
}

function changes(folder: string, deeper: number): number[] {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true }).slice(0, MOST);
  } catch {
    return [];
  }
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    const below = deeper > 0 && entry.isDirectory() ? changes(path, deeper - 1) : [];
    return [...timeOf(path), ...below];
  });
}

function timeOf(path: string): number[] {
  try {
    return [statSync(path).mtimeMs];
  } catch {
    // Gone meanwhile, or a link to nowhere.
    return [];
  }
}
