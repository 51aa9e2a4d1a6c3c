import { Argument, Command } from 'commander';
import { SCRIPTS, type Shell } from '../completion/scripts.ts';
import type { CommandContext } from '../context.ts';

const END = `
It completes commands, options, agents, signals, and the sessions of the running
hub.

Examples:
  eval "$(signalbox completion bash)"         in ~/.bashrc
  source <(signalbox completion zsh)          in ~/.zshrc, after compinit
  signalbox completion fish > ~/.config/fish/completions/signalbox.fish`;

export function completionCommand({ stdout }: CommandContext): Command {
  return new Command('completion')
    .summary('completion for your shell')
    .description('Prints a script that lets a shell complete the words of signalbox.')
    .addArgument(new Argument('<shell>', 'which one').choices(Object.keys(SCRIPTS)))
    .addHelpText('after', END)
    .action((shell: Shell) => void stdout.write(SCRIPTS[shell]));
}

/** What those scripts ask. Hidden: its answer is for shells. */
export function completeCommand(program: Command, context: CommandContext): Command {
  return new Command('__complete')
    .description('Tells a shell what could stand in the place of the last word.')
    .argument('[words...]', 'what was typed after the name of the program')
    .action(async (words: readonly string[]) => {
      const { runComplete } = await import('../completion/run-complete.ts');
      await runComplete(program, words, context);
    });
}
