import { existsSync } from 'node:fs';
import { brokenBy, type Check, ok, warning } from '../check.ts';

export const configCheck: Check = {
  name: 'config',
  run({ paths, settings, settingsError }) {
    const warnings = settings.warnings.map((text) => {
      // The second sentence of a warning, where it has one, says what to do.
      const [what = text, ...mend] = text.split(/(?<=\.) (?=Did you mean)/);
      return warning('config_warning', what, mend.length === 0 ? undefined : mend.join(' '));
    });
    // That the folder can't be used is told with the folder.
    if (settingsError?.code === 'folder_unusable') return warnings;
    if (settingsError !== undefined) return [brokenBy(settingsError), ...warnings];
    const where = existsSync(paths.configFile)
      ? paths.configFile
      : 'no file, so every setting has its default';
    return [ok(where, { file: paths.configFile }), ...warnings];
  },
};
