import type { Command, CommanderError } from 'commander';
import { SignalboxError } from '../protocol/errors.ts';
import { editDistance, nearest } from '../runtime/config/nearest.ts';

/** From this many changes on a guess is no help. */
const FAR = 4;

/** What commander found wrong with the arguments, as an error of ours. */
export function usageError(
  { code, message }: CommanderError,
  program: Command,
  argv: readonly string[],
): SignalboxError {
  const names = program.commands.map((command) => command.name()).filter((name) => !name.startsWith('_'));
  const command = argv.find((argument) => !argument.startsWith('-'));
  if (code === 'commander.unknownCommand' && command !== undefined) return unknownCommand(command, names);
  const help = command !== undefined && names.includes(command) ? ` ${command} --help` : ' --help';
  return new SignalboxError('bad_usage', { reason: sentences(message), help: `signalbox${help}` });
}

/** The error for a command that does not exist, with the one that was most likely meant. */
export function unknownCommand(command: string, names: readonly string[]): SignalboxError {
  const guess = nearest(command, names);
  const isNear = editDistance(command, guess) < Math.min(FAR, command.length) || guess.startsWith(command);
  return new SignalboxError('unknown_command', {
    command: command.slice(0, 40),
    guess: isNear ? `Did you mean "${guess}"? ` : '',
  });
}

/** `error: unknown option '--folow'` and a second line `(Did you mean --follow?)`, as sentences. */
function sentences(message: string): string {
  return message
    .replace(/^error: /, '')
    .split('\n')
    .map((line) => line.replace(/^\((.*)\)$/, '$1').trim())
    .filter((line) => line !== '')
    .map((line) => `${line.charAt(0).toUpperCase()}${line.slice(1)}${/[.?!]$/.test(line) ? '' : '.'}`)
    .join(' ');
}
