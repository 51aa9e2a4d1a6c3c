import { Command } from 'commander';
import type { CommandContext } from '../context.ts';

const END = `
Examples:
  signalbox replay session.jsonl
  signalbox replay session.jsonl | jq -r .state

Each change is one JSON line: {t_ms, session_id, state, reason, lamp}. A state
of null says that the session is gone. With SIGNALBOX_REPLAY_SOURCES=hooks the
recorded second sources (session files, rollouts, logs) are left out.`;

export function replayCommand(context: CommandContext): Command {
  return new Command('replay')
    .summary('run a recording through the rules')
    .description('Runs a recording through the real rules and prints what the bus would have said.')
    .argument('<file>', 'the recording, e.g. session.jsonl')
    .addHelpText('after', END)
    .action(async (file: string) => {
      const { runReplay } = await import('../replay/run-replay.ts');
      runReplay(file, context);
    });
}
