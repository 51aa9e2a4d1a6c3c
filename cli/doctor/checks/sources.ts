import { TURNED_OFF } from '../../../services/sources/switched-off.ts';
import { type Check, type Finding, ok, warning } from '../check.ts';

/** How the second sources stand, which tell what no hook does. */
export const sourcesCheck: Check = {
  name: 'sources',
  run({ bus }): readonly Finding[] {
    const sources = bus?.health?.sources ?? [];
    if (sources.length === 0) return [];
    const wrong = sources.filter(({ trouble }) => trouble === true);
    if (wrong.length > 0)
      return wrong.map(({ name, why = '' }) =>
        warning(
          'source_off',
          `${name} is off: ${why}.`,
          'Update Signalbox. Until then hooks and the other sources tell what they can.',
          { name, why },
        ),
      );
    const on = sources.filter((source) => source.on).map(({ name }) => name);
    const off = sources.filter((source) => !source.on);
    const here = off.filter(({ why }) => why !== TURNED_OFF).map(({ name, why = '' }) => `${name} (${why})`);
    const turned = off.filter(({ why }) => why === TURNED_OFF).map(({ name }) => name);
    const told = [
      on.length === 0 ? 'none is on: hooks alone tell' : on.join(', '),
      ...(here.length > 0 ? [`off: ${here.join(', ')}`] : []),
      ...(turned.length > 0 ? [`turned off in the settings: ${turned.join(', ')}`] : []),
    ];
    return [ok(told.join('; '), sources)];
  },
};
