import { SIGNAL_NAMES } from '../../protocol/events.ts';
import type { CommandContext } from '../context.ts';
import type { Candidate, ValueKind } from './candidates.ts';

/** Commands are in the program itself, and files the shell knows better. */
export type LookedUp = Exclude<ValueKind, 'command' | 'file' | 'folder'>;

/** Looks values up. What can't be found out, such as the sessions of a hub that does not run, is nothing: a prompt is no place for errors. */
export async function valuesFor(kind: LookedUp, context: CommandContext): Promise<readonly Candidate[]> {
  if (kind === 'signal') return SIGNAL_NAMES.map((word) => ({ word, about: '' }));
  try {
    return kind === 'provider' ? await providers(context) : await sessions(context);
  } catch {
    return [];
  }
}

async function providers(context: CommandContext): Promise<readonly Candidate[]> {
  const { loadSettings } = await import('../settings.ts');
  return loadSettings(context, {}).registry.list.map(({ slug, name }) => ({ word: slug, about: name }));
}

async function sessions(context: CommandContext): Promise<readonly Candidate[]> {
  const { listSessions } = await import('./sessions.ts');
  return listSessions(context);
}
