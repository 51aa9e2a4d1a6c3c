import { resolve } from 'node:path';
import type { CommandContext } from '../../context.ts';
import type { SettingOptions } from '../../options.ts';
import { ownProgram } from '../../own-command.ts';

/** Makes the whole command that a click runs: a program by its absolute path, and its arguments. */
export type OwnCommand = (...args: readonly string[]) => readonly string[];

/**
 * What a menu runs on a click: hosts start it with a PATH and an environment of their own, so both programs are named by absolute paths, and what says which
 * hub is meant goes along. Nothing in it comes from an agent.
 */
export function ownCommand(
  { env, cwd }: Pick<CommandContext, 'env' | 'cwd'>,
  { config, brokerUrl, prefix }: SettingOptions,
): OwnCommand {
  const moved = env['SIGNALBOX_HOME'] ?? '';
  const options = [
    ...(config === undefined ? [] : ['--config', resolve(cwd, config)]),
    ...(brokerUrl === undefined ? [] : ['--broker-url', brokerUrl]),
    ...(prefix === undefined ? [] : ['--prefix', prefix]),
  ];
  const front = moved === '' ? [] : ['/usr/bin/env', `SIGNALBOX_HOME=${resolve(cwd, moved)}`];
  return (...args) => [...front, ...ownProgram(), ...args, ...options];
}
