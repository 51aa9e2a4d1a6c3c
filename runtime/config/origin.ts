/** Where a setting's value came from. */
export interface Origin {
  readonly source: 'default' | 'file' | 'environment' | 'flag';
  /** The file and line, the variable or the flag; nothing for a default. */
  readonly detail: string;
}

/** One value of one setting, before it is checked. */
export interface Setting {
  readonly path: readonly string[];
  readonly value: unknown;
  readonly origin: Origin;
}

export const DEFAULT_ORIGIN: Origin = { source: 'default', detail: '' };
