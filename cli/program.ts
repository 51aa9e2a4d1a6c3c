import { Command, CommanderError } from 'commander';
import { version } from '../runtime/version.ts';
import { COMMANDS } from './command-list.ts';
import type { CommandContext } from './context.ts';
import { AlreadyTold, reportFailure } from './failure.ts';
import { unknownCommand, usageError } from './usage-error.ts';

const HELP_WIDTH = 80;
const HELP_END = `
Commands that print data take --json. More about one: signalbox help COMMAND`;

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

function createProgram(context: CommandContext): Command {
  const { stdout, stderr } = context;
  const program = new Command('signalbox')
    .description('Tells you at once which coding agent needs you.')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .addHelpText('after', HELP_END)
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
      program.addCommand(make(context).helpGroup(`${heading}:`).copyInheritedSettings(program));
    }
  }
  program.addCommand(helpCommand(program).copyInheritedSettings(program), { hidden: true });
  return program;
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
    });
}
