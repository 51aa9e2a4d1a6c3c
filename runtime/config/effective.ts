import { redactUrl } from '../mqtt-url.ts';
import { configKeys } from './keys.ts';
import type { LoadedConfig } from './load.ts';
import { DEFAULT_ORIGIN, type Origin } from './origin.ts';
import { SECRETS } from './secrets.ts';

/** One line of `signalbox config`. */
export interface EffectiveSetting {
  readonly key: string;
  readonly value: unknown;
  readonly origin: Origin;
}

/** Every setting with its value and where that came from. A password or token is shown as `(set)`. */
export function effectiveSettings({ config, origins }: LoadedConfig): readonly EffectiveSetting[] {
  const settings = configKeys().map(({ key, path }) => {
    const value = path.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], config);
    return {
      key,
      value: key === 'broker.url' ? redactUrl(String(value)) : value,
      origin: origins.get(key) ?? DEFAULT_ORIGIN,
    };
  });
  const secrets = SECRETS.flatMap(({ name }) => {
    const origin = origins.get(name);
    return origin === undefined ? [] : [{ key: name, value: '(set)', origin }];
  });
  return [...settings, ...secrets];
}
