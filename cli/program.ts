import { Command, CommanderError } from 'commander';
import { version } from '../runtime/version.ts';
import { COMMANDS } from './command-list.ts';
import { completeCommand } from './commands/completion.ts';
import type { CommandContext } from './context.ts';
import { AlreadyTold, reportFailure } from './failure.ts';
import { unknownCommand, usageError } from './usage-error.ts';

const HELP_WIDTH = 80;
const HELP_END = `
Examples:
  signalbox demo                  look at it without an agent, for a minute
  signalbox up                    run it
  signalbox status --follow       who waits, in another terminal
  signalbox help status           more about one command

Commands that print data take --json.`;

/** Runs one command. @returns the exit status: 0 good, 1 a fault, 2 wrong use (spec: product, "Commands") */
export async function runProgram(context: CommandContext): Promise<number> {
  const program = createProgram(context);
  try {
    if (context.argv.length === 0) program.outputHelp();
    else await program.parseAsync([...context.argv], { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    if (error instanceof AlreadyTold) return 1;
    return reportFailure(
      error instanceof CommanderError ? usageError(error, program, context.argv) : error,
      context,
    );
  }
}

/** All commands, with nothing loaded that one of them needs to run. */
export function createProgram(context: CommandContext): Command {
  const { stdout, stderr } = context;
  const program = new Command('signalbox')
    .description('Tells you at once which coding agent needs you.')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .addHelpText('after', HELP_END)
    // Without the word [options] at each of them, so that what they do has room beside it.
    .configureHelp({ subcommandTerm: (command) => [command.name(), ...argumentsOf(command)].join(' ') })
    .showSuggestionAfterError(true)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      // Printed once, in our own form, by whoever catches it.
      outputError: () => undefined,
      getOutHelpWidth: () => Math.min(stdout.columns ?? HELP_WIDTH, HELP_WIDTH),
    });
  for (const { heading, commands } of COMMANDS) {
    for (const make of commands) {
      const command = make(context).helpGroup(`${heading}:`).copyInheritedSettings(program);
      for (const part of command.commands) part.copyInheritedSettings(command);
      program.addCommand(command);
    }
  }
  for (const command of [helpCommand(program), completeCommand(program, context)])
    program.addCommand(command.copyInheritedSettings(program), { hidden: true });
  return program;
}

function argumentsOf(command: Command): readonly string[] {
  return command.registeredArguments.map((each) => (each.required ? `<${each.name()}>` : `[${each.name()}]`));
}

/** commander's own prints the whole help for a command that does not exist. */
function helpCommand(program: Command): Command {
  return new Command('help')
    .description('Prints the help of a command, or of all.')
    .argument('[command]', 'whose')
    .action((name: string | undefined) => {
      const names = program.commands.map((command) => command.name());
      const found =
        name === undefined ? program : program.commands.find((command) => command.name() === name);
      if (found === undefined) throw unknownCommand(name ?? '', names);
      found.outputHelp();
    })
    .addHelpText('after', '\nExamples:\n  signalbox help status');
}
