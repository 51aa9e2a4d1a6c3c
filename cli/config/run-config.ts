import { existsSync } from 'node:fs';
import { type EffectiveSetting, effectiveSettings } from '../../runtime/config/effective.ts';
import type { CommandContext } from '../context.ts';
import type { SettingOptions } from '../options.ts';
import { loadSettings, type Settings } from '../settings.ts';
import { type Look, lookAt } from '../terminal/look.ts';
import { palette, plain } from '../terminal/paint.ts';
import { type Cell, layOut } from '../terminal/table.ts';

export interface ConfigOptions extends SettingOptions {
  readonly json?: true;
}

/** `signalbox config`. Asks nobody: it also helps where no hub runs. @throws SignalboxError those of the settings */
export function runConfig(options: ConfigOptions, context: CommandContext): void {
  const settings = loadSettings(context, options);
  const { stdout } = context;
  stdout.write(options.json ? asJson(settings) : asText(settings, lookAt(context, 0)));
}

function asJson(settings: Settings): string {
  const { paths, warnings } = settings;
  const shown = {
    config_file: paths.configFile,
    data_folder: paths.data,
    settings: effectiveSettings(settings).map(({ key, value, origin }) => ({
      key,
      value,
      source: origin.source,
      detail: origin.detail,
    })),
    warnings,
  };
  return `${JSON.stringify(shown, undefined, 2)}\n`;
}

function asText(settings: Settings, look: Look): string {
  const { paths } = settings;
  const { dim } = palette(look.colour);
  const isThere = existsSync(paths.configFile);
  const places = [
    [
      { text: 'Settings' },
      { text: paths.configFile },
      { text: isThere ? '' : '(no such file yet)', paint: dim },
    ],
    [{ text: 'Data' }, { text: paths.data }],
  ];
  const table = { width: Number.POSITIVE_INFINITY, absolute: false };
  const rows = effectiveSettings(settings).map((setting) => rowOf(setting, settings, look));
  const columns = [{}, { shrinkTo: 10 }, { shrinkTo: 12 }];
  const lines = [
    ...layOut(places, [{}, {}, {}], table),
    '',
    ...layOut(rows, columns, { width: look.width, absolute: look.terminal }),
  ];
  return `${lines.join('\n')}\n`;
}

/** What was set stands out from the defaults. */
function rowOf(
  { key, value, origin }: EffectiveSetting,
  { paths }: Settings,
  { colour }: Look,
): readonly Cell[] {
  const { bold, dim } = palette(colour);
  const isDefault = origin.source === 'default';
  const detail = origin.detail.replace(`${paths.configFile}, `, 'config file, ');
  return [
    { text: key, paint: isDefault ? plain : bold },
    { text: JSON.stringify(value), paint: isDefault ? plain : bold },
    { text: isDefault ? 'default' : detail, paint: dim },
  ];
}
