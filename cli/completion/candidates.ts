import type { Argument, Command, Option } from 'commander';

/** What a value may be, beyond a fixed list of words. */
export type ValueKind = 'provider' | 'session' | 'signal' | 'command' | 'file' | 'folder';

/** One word that would fit, with what it means. */
export interface Candidate {
  readonly word: string;
  readonly about: string;
}

/** What may stand where the cursor is. */
export interface Candidates {
  /** Words of the commands themselves. */
  readonly words: readonly Candidate[];
  /** Values that have to be looked up. */
  readonly kind?: ValueKind;
  /** What stands in front of all of them in the same word: `--provider=`. */
  readonly front: string;
  /** What has been typed behind that. */
  readonly typed: string;
}

/** Kinds by the name of an argument, or of an option where that says more. */
const KINDS: Readonly<Record<string, ValueKind>> = {
  provider: 'provider',
  agent: 'provider',
  session: 'session',
  command: 'command',
  signal: 'signal',
  file: 'file',
  recording: 'file',
  folder: 'folder',
};

/**
 * What could stand in the place of the last word. Everything is read from commander's own tree: a new command or option is completed without a word of its own here.
 * @param words what was typed after the program's name, up to the cursor; the last one may be empty
 */
export function candidatesFor(program: Command, words: readonly string[]): Candidates {
  const typed = words.at(-1) ?? '';
  let command = program;
  let waiting: Option | undefined;
  let position = 0;
  let onlyArguments = false;
  const given = new Set<Option>();
  // Bash makes three words of --format=json.
  for (const word of words.slice(0, -1).filter((each) => each !== '=')) {
    const option = onlyArguments || waiting !== undefined ? undefined : optionNamed(command, word);
    const below = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
    if (waiting !== undefined) waiting = undefined;
    else if (word === '--' && !onlyArguments) onlyArguments = true;
    else if (option !== undefined) {
      given.add(option);
      waiting = takesValue(option) && !word.includes('=') ? option : undefined;
    } else if (!onlyArguments && word.startsWith('-')) continue;
    else if (below !== undefined && position === 0) {
      command = below;
      given.clear();
    } else position += 1;
  }
  // Right behind `--format=` bash gives the sign alone.
  if (waiting !== undefined) return valuesOf(waiting, typed === '=' ? '' : typed);
  if (!onlyArguments && typed.startsWith('-')) return optionsOrValue(command, typed, given);
  if (position === 0 && command.commands.length > 0) return { words: commandsOf(command), front: '', typed };
  const { registeredArguments } = command;
  const last = registeredArguments.at(-1);
  const argument = registeredArguments[position] ?? (last?.variadic === true ? last : undefined);
  return argument === undefined ? { words: [], front: '', typed } : valuesOf(argument, typed);
}

function optionsOrValue(command: Command, typed: string, given: ReadonlySet<Option>): Candidates {
  const sign = typed.indexOf('=');
  if (sign > 0) {
    const option = optionNamed(command, typed);
    if (option === undefined || !takesValue(option)) return { words: [], front: '', typed };
    return { ...valuesOf(option, typed.slice(sign + 1)), front: typed.slice(0, sign + 1) };
  }
  return {
    words: optionsOf(command)
      .filter((option) => !option.hidden && (!given.has(option) || option.variadic))
      .map((option) => ({ word: option.long ?? option.short ?? '', about: option.description })),
    front: '',
    typed,
  };
}

function optionNamed(command: Command, word: string): Option | undefined {
  const name = word.split('=')[0];
  return optionsOf(command).find(({ long, short }) => name === long || name === short);
}

/** With --help, which commander keeps apart. */
function optionsOf(command: Command): readonly Option[] {
  return command.createHelp().visibleOptions(command);
}

function takesValue(option: Option): boolean {
  return option.required || option.optional;
}

function commandsOf(command: Command): readonly Candidate[] {
  const help = command.createHelp();
  return help
    .visibleCommands(command)
    .map((each) => ({ word: each.name(), about: help.subcommandDescription(each) }));
}

function valuesOf(value: Option | Argument, typed: string): Candidates {
  const { argChoices } = value;
  if (argChoices !== undefined)
    return { words: argChoices.map((word) => ({ word, about: '' })), front: '', typed };
  const kind = kindOf(value);
  return { words: [], front: '', typed, ...(kind !== undefined && { kind }) };
}

/** `--config <file>` by what stands in its brackets, `--provider <name>` by its own name. */
function kindOf(value: Option | Argument): ValueKind | undefined {
  if (!('flags' in value)) return KINDS[value.name()];
  const placeholder = /[<[]([^>\].]+)/.exec(value.flags)?.[1] ?? '';
  return KINDS[placeholder] ?? KINDS[value.name()];
}
