import { writeSync } from 'node:fs';
import { homedir } from 'node:os';
import { ownEnvironment } from '../runtime/config/sender-environment.ts';
import { sendHook } from './sender/send.ts';

/**
 * The program that an agent runs on every event: `signalbox-hook <provider> [event] [json]`. esbuild makes one file of it. Whatever happens it says nothing and its
 * status is 0: an agent must never be slowed, blocked or stopped by Signalbox (spec: agents, section 1).
 */
const end = (): never => process.exit(0);
process.on('uncaughtException', end);
process.on('unhandledRejection', end);

sendHook({
  argv: process.argv.slice(2),
  env: ownEnvironment(),
  platform: process.platform,
  home: homedir,
  ppid: process.ppid,
  stdin: () => process.stdin,
  write: (text) => {
    try {
      if (text !== '') writeSync(1, text);
    } catch {
      // Nobody reads.
    }
  },
  started: performance.timeOrigin,
  passed: () => performance.now(),
}).then(end, end);
