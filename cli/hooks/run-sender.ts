import { readFileSync } from 'node:fs';
import { senderLine } from '../../hooks/installers/agent-hooks.ts';
import { SenderFiles, type SenderSource, type SenderState } from '../../hooks/installers/sender-files.ts';
import { SignalboxError } from '../../protocol/errors.ts';
import { resolvePaths } from '../../runtime/paths.ts';
import type { CommandContext } from '../context.ts';
import { commandOf, shippedHookFile } from '../own-command.ts';

export interface SenderOptions {
  readonly install?: true;
  readonly uninstall?: true;
  readonly json?: true;
}

const HELP = 'signalbox hooks sender --help';

/**
 * `signalbox hooks sender`: puts the default sender where agents run it, takes it away, or says what is there.
 * @throws SignalboxError `bad_usage`, `folder_unusable`
 */
export function runSender(options: SenderOptions, context: CommandContext): void {
  const { env, platform, home, stdout } = context;
  if (options.install && options.uninstall) {
    const reason = '--install and --uninstall exclude each other.';
    throw new SignalboxError('bad_usage', { reason, help: HELP });
  }
  const files = new SenderFiles(resolvePaths({ env, platform, home }).data, platform);
  const source = bundledSender();
  if (options.install) files.install(source);
  if (options.uninstall) files.uninstall();
  const state = files.state(source);
  const told = { path: files.path, state, command: senderLine(files.command(source.node), 'claude') };
  stdout.write(options.json ? `${JSON.stringify(told, undefined, 2)}\n` : text(told, commandOf(env)));
}

/** The sender as this package brings it. */
export function bundledSender(): SenderSource {
  const read = (name: string): string => readFileSync(shippedHookFile(name), 'utf8');
  return {
    script: read('signalbox-hook.sh'),
    program: read('signalbox-hook.js'),
    node: process.execPath,
  };
}

const WORDS: Readonly<Record<SenderState, string>> = {
  missing: 'not installed',
  current: 'installed, and of this version',
  outdated: 'installed, and not as this version brings it',
};

function text(told: { path: string; state: SenderState; command: string }, program: string): string {
  const { path, state, command } = told;
  const next =
    state === 'current'
      ? `Claude Code, for one, runs  ${command}`
      : `Next: ${program} hooks sender --install`;
  return `Sender  ${path}\nState   ${WORDS[state]}\n\n${next}\n`;
}
