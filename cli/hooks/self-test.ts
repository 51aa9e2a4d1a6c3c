import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AgentHooks } from '../../hooks/installers/agent-hooks.ts';
import { readHubFile } from '../../runtime/hub-file.ts';
import { hasArrived } from '../../services/aggregator/store/arrived-store.ts';
import type { CommandContext } from '../context.ts';
import { commandOf } from '../own-command.ts';
import type { Settings } from '../settings.ts';
import type { Installing } from './installing.ts';

/** The hub has this long to commit what the sender sent [ms]. */
const WITHIN = 3_000;
/** Between two looks [ms]. */
const PAUSE = 25;

/**
 * Sends one event as each agent would, through the real sender, and looks for it in the hub's event log. It is of a kind that changes nothing.
 * @returns what to tell the user
 */
export async function selfTest(
  agents: readonly AgentHooks[],
  { sender }: Installing,
  { paths }: Settings,
  { env, home }: CommandContext,
): Promise<string> {
  if (readHubFile(paths.hubFile) === undefined) {
    return `No hub runs, so the way there could not be tried. Start it: ${commandOf(env)} up\n`;
  }
  const lines: string[] = [];
  for (const { provider } of agents) {
    const session = `self-test-${randomUUID()}`;
    await send(sender.path, provider, session, { ...env, HOME: home });
    const arrived = await within(() => hasArrived(paths.database, provider, session));
    lines.push(
      arrived
        ? `Self-test: an event of ${provider} went through the sender and arrived.`
        : `Self-test: an event of ${provider} did not arrive within ${WITHIN / 1000} s. See "${commandOf(env)} doctor".`,
    );
  }
  return `${lines.join('\n')}\n`;
}

async function send(
  path: string,
  provider: string,
  session: string,
  env: CommandContext['env'],
): Promise<void> {
  const child = spawn(path, [provider], { env, stdio: ['pipe', 'ignore', 'ignore'] });
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify({ event: 'SelfTest', session_id: session }));
  await Promise.race([once(child, 'close'), once(child, 'error')]);
}

async function within(condition: () => boolean): Promise<boolean> {
  for (const end = Date.now() + WITHIN; Date.now() < end; ) {
    if (condition()) return true;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  return false;
}
