import { readFileSync } from 'node:fs';
import type { Environment } from './environment.ts';

/**
 * May the settings name another bus than this machine's hub.json does? A quick look, with nothing loaded to read settings by: `true` means that they have to be read.
 */
export function mayNameABus(env: Environment, configFile: string): boolean {
  if (env['SIGNALBOX_BROKER_URL'] !== undefined || env['SIGNALBOX_PREFIX'] !== undefined) return true;
  try {
    return /broker|prefix/.test(readFileSync(configFile, 'utf8'));
  } catch {
    return false;
  }
}
