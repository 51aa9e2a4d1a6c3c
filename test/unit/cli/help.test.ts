import type { Command } from 'commander';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import type { CommandContext } from '../../../cli/context.ts';
import { createProgram } from '../../../cli/program.ts';

let written = '';
// A terminal that is wider than a help may be.
const stdout = { columns: 200, write: (text: string) => (written += text) };
const program = createProgram({ stdout, stderr: stdout, env: {}, argv: [] } as unknown as CommandContext);

/** A command's help as it is printed. */
function helpOf(command: Command): string {
  written = '';
  command.outputHelp();
  return written;
}

/** All commands, those below others and hidden ones among them, by what is typed for them. */
function commandsBelow(command: Command, path = command.name()): [string, Command][] {
  return [
    [path, command],
    ...command.commands.flatMap((below) => commandsBelow(below, `${path} ${below.name()}`)),
  ];
}

const ALL = commandsBelow(program);
/** What only shells ask for has no reader. */
const READ = ALL.filter(([path]) => !path.includes(' _'));

describe('the help', () => {
  it.each(ALL)('%s: no line is wider than 80 columns', (_path, command) => {
    expect(
      helpOf(command)
        .split('\n')
        .filter((line) => stringWidth(line) > 80),
    ).toEqual([]);
  });

  it.each(ALL)('%s: says what it is in whole sentences, and never longer than is read', (_path, command) => {
    const description = command.description();
    expect(description).toMatch(/^[A-Z].*\.$/);
    expect(description.length).toBeLessThan(240);
  });

  it.each(READ)(
    '%s: has an example that begins with the program or with what goes in front',
    (path, command) => {
      const examples = /\nExamples:\n((?: {2}.*\n?)+)/.exec(helpOf(command))?.[1] ?? '';
      expect(examples).toContain(path);
      // Two blanks or more set what an example is for apart from it; never one that runs on at the end of the line.
      for (const line of examples.split('\n')) expect(line).toMatch(/^$|^ {2}\S/);
    },
  );

  it.each(READ)('%s: says of each option and argument what it is', (_path, command) => {
    for (const each of [...command.options, ...command.registeredArguments]) {
      expect(each.description).toMatch(/\S/);
      expect(each.description).not.toMatch(/\.$/);
    }
  });

  it('says of each command in a few words what it does', () => {
    const help = helpOf(program);
    for (const command of program.commands) {
      if (!help.includes(`\n  ${command.name()}`)) continue;
      expect(command.summary()).toMatch(/^[^A-Z].*[^.]$/);
      expect(help).toContain(command.summary());
    }
  });
});
