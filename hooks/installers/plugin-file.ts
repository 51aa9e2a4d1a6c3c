import { SignalboxError } from '../../protocol/errors.ts';
import { fingerprintOf } from './installed.ts';

/** A file that an agent loads as its plugin, ours from the first byte to the last. */
export interface PluginForm {
  /** The agent's own events that it forwards. */
  readonly events: readonly string[];
  /** What the agent wants to read in the first line. */
  readonly firstLine?: string;
}

/** The line by which a file says that it is ours, and what the others have to be. */
const MARK = /^\/\/ signalbox-plugin ([0-9a-f]{64})\n/m;

/**
 * A plugin as it is written: a line with a fingerprint of all others makes out, without anything that is kept elsewhere, whether somebody has changed it since.
 * @param source the bundled program
 * @param sender the sender's program and the arguments before the agent's slug
 */
export function pluginText(
  provider: string,
  { firstLine }: PluginForm,
  source: string,
  sender: readonly string[],
): string {
  const before = firstLine === undefined ? '' : `${firstLine}\n`;
  const after = [
    '// Tells Signalbox when a session starts, works, waits and ends: ids, folders and the kinds of events, no text.',
    `// "signalbox hooks install ${provider}" put it here; "signalbox hooks uninstall ${provider}" takes it away.`,
    `const SIGNALBOX_SENDER = ${JSON.stringify(sender)};`,
    source,
  ].join('\n');
  return `${before}// signalbox-plugin ${fingerprintOf(before + after)}\n${after}`;
}

/** `changed`: it bears our mark, and is not what we wrote. */
export type PluginOwner = 'nobody' | 'ours' | 'changed' | 'foreign';

/** Whose a plugin's file is, of whatever version. @param text undefined for no file */
export function ownerOf(text: string | undefined): PluginOwner {
  if (text === undefined) return 'nobody';
  const [mark, fingerprint] = MARK.exec(text) ?? [];
  if (mark === undefined) return 'foreign';
  return fingerprintOf(text.replace(mark, '')) === fingerprint ? 'ours' : 'changed';
}

/** @throws SignalboxError `plugin_foreign` for a file that is there and is not as we wrote it */
export function expectOurs(text: string | undefined, path: string): void {
  const owner = ownerOf(text);
  if (owner === 'foreign' || owner === 'changed') throw new SignalboxError('plugin_foreign', { path });
}
