import type { Check } from './check.ts';
import { agentsCheck } from './checks/agents.ts';
import { brokerCheck } from './checks/broker.ts';
import { clocksCheck } from './checks/clocks.ts';
import { configCheck } from './checks/config.ts';
import { databaseCheck } from './checks/database.ts';
import { diskCheck } from './checks/disk.ts';
import { doubledCheck } from './checks/doubled.ts';
import { eventsCheck } from './checks/events.ts';
import { folderCheck } from './checks/folder.ts';
import { hubCheck } from './checks/hub.ts';
import { modesCheck } from './checks/modes.ts';
import { nodeCheck } from './checks/node.ts';
import { ntfyCheck } from './checks/ntfy.ts';
import { portsCheck } from './checks/ports.ts';
import { refusedCheck } from './checks/refused.ts';
import { sourcesCheck } from './checks/sources.ts';
import { senderCheck } from './checks/sender.ts';
import { spoolCheck } from './checks/spool.ts';
import { unknownCheck } from './checks/unknown.ts';

/** What is looked after, in the order in which it is told: first what the rest stands on. A new check is one line here. */
export const CHECKS: readonly Check[] = [
  nodeCheck,
  configCheck,
  folderCheck,
  modesCheck,
  diskCheck,
  hubCheck,
  portsCheck,
  brokerCheck,
  databaseCheck,
  senderCheck,
  agentsCheck,
  doubledCheck,
  eventsCheck,
  unknownCheck,
  sourcesCheck,
  refusedCheck,
  clocksCheck,
  spoolCheck,
  ntfyCheck,
];
