import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Agent, SenderCommand } from '../../hooks/installers/agent-hooks.ts';
import { SELF_TEST } from '../../protocol/self-test.ts';
import { hubAlive, readHubFile } from '../../runtime/hub-file.ts';
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
  agents: readonly Agent[],
  { command }: Installing,
  { paths }: Settings,
  { env, home }: CommandContext,
): Promise<string> {
  const hub = readHubFile(paths.hubFile);
  if (hub === undefined || (await hubAlive(hub)) === 'gone') {
    return `No hub runs, so the way there could not be tried. Start it: ${commandOf(env)} up\n`;
  }
  // At once: where nobody answers, each would be waited for in turn.
  const lines = await Promise.all(
    agents.map(async ({ provider }) => {
      const session = `self-test-${randomUUID()}`;
      await send(command.program, provider, session, { ...env, HOME: home });
      return (await within(() => hasArrived(paths.database, provider, session)))
        ? `Self-test: an event of ${provider} went through the sender and arrived.`
        : `Self-test: an event of ${provider} did not arrive within ${WITHIN / 1000} s. Next: ${commandOf(env)} doctor`;
    }),
  );
  return `${lines.join('\n')}\n`;
}

async function send(
  [program, ...before]: SenderCommand['program'],
  provider: string,
  session: string,
  env: CommandContext['env'],
): Promise<void> {
  const child = spawn(program, [...before, provider], { env, stdio: ['pipe', 'ignore', 'ignore'] });
  const ended = Promise.race([once(child, 'close'), once(child, 'error')]);
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify({ event: SELF_TEST, session_id: session }));
  // That it could not be started is told by what does not arrive.
  await ended.catch(() => undefined);
}

async function within(condition: () => boolean): Promise<boolean> {
  for (const end = performance.now() + WITHIN; performance.now() < end; ) {
    try {
      if (condition()) return true;
    } catch {
      // A database that can't be read, or not yet; doctor tells why.
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  return false;
}
