import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type FlagSetting, type LoadedConfig, loadConfig } from '../../../../runtime/config/load.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

export interface Given {
  readonly toml?: string;
  readonly env?: Record<string, string>;
  readonly flags?: readonly FlagSetting[];
  readonly hostname?: string;
}

/** Loads settings from what is given; messages name the file as FILE. */
export function load({
  toml,
  env = {},
  flags = [],
  hostname = 'desk',
}: Given): LoadedConfig & { readonly file: string } {
  const file = join(temporaryFolder(), 'config.toml');
  if (toml !== undefined) writeFileSync(file, toml);
  try {
    return { ...loadConfig({ file, env, flags, hostname }), file };
  } catch (error) {
    if (error instanceof Error) error.message = error.message.replaceAll(file, 'FILE');
    throw error;
  }
}

/** An error of this code and message. */
export const refused = (code: string, message: string) => expect.objectContaining({ code, message });
