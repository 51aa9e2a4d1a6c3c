import { z } from 'zod';
import { notify } from './notify.ts';
import * as sections from './sections.ts';

/** Every setting with its type, default and meaning; the sections are in sections.ts. */
export const configSchema = z.strictObject({
  ...sections.general,
  broker: sections.broker.prefault({}),
  http: sections.http.prefault({}),
  state: sections.state.prefault({}),
  project: sections.project.prefault({}),
  providers: sections.providers,
  sources: sections.sources.prefault({}),
  notify: notify.prefault({}),
  privacy: sections.privacy.prefault({}),
  history: sections.history.prefault({}),
  database: sections.database.prefault({}),
  log: sections.log.prefault({}),
});

type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;

/** The effective settings. Durations are in seconds, as in the file. */
export type Config = Frozen<z.output<typeof configSchema>>;
