import type { Command } from 'commander';
import type { FlagSetting } from '../runtime/config/load.ts';

/** What the options that several commands share were set to. */
export interface SettingOptions {
  readonly config?: string;
  readonly brokerUrl?: string;
  readonly prefix?: string;
}

/** `--config`: for every command that reads settings. */
export function withSettings(command: Command): Command {
  return command.option('--config <file>', 'settings to read instead of the usual config.toml');
}

/** `--broker-url` and `--prefix`: for every command that talks to the bus. */
export function withBus(command: Command): Command {
  return withSettings(command)
    .option('--broker-url <url>', "the broker to ask, instead of this machine's hub")
    .option('--prefix <levels>', 'topic levels in front of all topics, e.g. team/alice');
}

/** The options as settings; one that was not given changes nothing. */
export function flagSettings({ brokerUrl, prefix }: SettingOptions): readonly FlagSetting[] {
  return [
    { key: 'broker.url', flag: '--broker-url', value: brokerUrl },
    { key: 'prefix', flag: '--prefix', value: prefix },
  ];
}
