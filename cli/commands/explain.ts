import { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import type { ExplainOptions } from '../explain/run-explain.ts';
import { withBus } from '../options.ts';

const END = `
Examples:
  signalbox explain                      all sessions, a few lines each
  signalbox explain 3f9a                 one, by the beginning of its key
  signalbox explain --provider codex

The session is named by any beginning of its key (see "signalbox sessions") or
of the agent's own session id that no other session shares.

It asks the hub through its Unix socket: it works for the user whose hub it is.`;

export function explainCommand(context: CommandContext): Command {
  const command = new Command('explain')
    .summary('why a session is what it is')
    .description(
      'Tells why a session is what it is: the evidence and its age, the rule that decided, what is open and what would close it. Without a session: all of them, in short.',
    )
    .argument('[session]', 'the beginning of a key or session id')
    .option('--provider <name>', 'only of this agent')
    .option('--json', 'as JSON, with everything')
    .addHelpText('after', END);
  return withBus(command).action(async (session: string | undefined, options: ExplainOptions) => {
    const { runExplain } = await import('../explain/run-explain.ts');
    await runExplain(session, options, context);
  });
}
