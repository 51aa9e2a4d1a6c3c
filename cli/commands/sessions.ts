import { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { withBus } from '../options.ts';
import type { SessionsOptions } from '../sessions/run-sessions.ts';

const END = `
Examples:
  signalbox sessions
  signalbox sessions --all                        those that are idle, too
  signalbox sessions --json | jq -r '.sessions[].project'

The key names a session to other commands; any beginning that no other session
shares will do, and so will the agent's own session id.`;

export function sessionsCommand(context: CommandContext): Command {
  const command = new Command('sessions')
    .summary('the table of sessions')
    .description('Lists the sessions of all agents, those that wait for you first.')
    .option('-a, --all', 'idle ones too')
    .option('--json', 'as JSON, with everything the bus holds of them')
    .addHelpText('after', END);
  return withBus(command).action(async (options: SessionsOptions) => {
    const { runSessions } = await import('../sessions/run-sessions.ts');
    await runSessions(options, context);
  });
}
