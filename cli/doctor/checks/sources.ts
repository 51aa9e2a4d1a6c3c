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
    const off = sources.filter((source) => !source.on).map(({ name, why = '' }) => `${name} (${why})`);
    const told = [
      ...(on.length === 0 ? ['none is on'] : [on.join(', ')]),
      ...(off.length > 0 ? [`off: ${off.join(', ')}`] : []),
    ];
    return [ok(told.join('; '), sources)];
  },
};
