import type { Command } from 'commander';
import { plainText } from '../../runtime/plain-text.ts';
import type { CommandContext } from '../context.ts';
import { type Candidate, candidatesFor } from './candidates.ts';
import { type LookedUp, valuesFor } from './values.ts';

/**
 * What the shells' scripts ask: one line a word that fits, with a tab and what it means; `:file` or `:folder` where the shell is to complete those itself.
 * @param words what was typed after the program's name, up to the cursor
 */
export async function runComplete(
  program: Command,
  words: readonly string[],
  context: CommandContext,
): Promise<void> {
  const { words: known, kind, front, typed } = candidatesFor(program, words);
  if (kind === 'file' || kind === 'folder') return void context.stdout.write(`:${kind}\n`);
  const found = kind === undefined ? known : await lookedUp(kind, program, context);
  const fitting = found.filter(({ word }) => word.startsWith(typed));
  context.stdout.write(fitting.map(({ word, about }) => lineOf({ word: front + word, about })).join(''));
}

async function lookedUp(
  kind: LookedUp | 'command',
  program: Command,
  context: CommandContext,
): Promise<readonly Candidate[]> {
  return kind === 'command' ? candidatesFor(program, ['']).words : valuesFor(kind, context);
}

function lineOf({ word, about }: Candidate): string {
  return `${plainText(word)}\t${plainText(about)}\n`;
}
