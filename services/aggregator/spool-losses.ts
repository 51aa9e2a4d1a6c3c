import type { Store } from './store/hub-store.ts';

/** Events that a full spool has dropped before a hub could take them. */
export interface SpoolLosses {
  readonly count: number;
  /** When a hub last heard of some, unix ms. */
  readonly last_at: number;
}

const NAME = 'spool_losses';

/** Adds to the losses that the database keeps, so that `signalbox doctor` can tell of them afterwards. Throws what the store throws. @param at unix ms */
export function addSpoolLosses(store: Pick<Store, 'meta' | 'setMeta'>, count: number, at: number): void {
  const before = parse(store.meta(NAME));
  store.setMeta(NAME, JSON.stringify({ count: (before?.count ?? 0) + count, last_at: at }));
}

/** The losses, if there were any. @param meta names and values of the database */
export function spoolLossesOf(meta: ReadonlyMap<string, string>): SpoolLosses | undefined {
  return parse(meta.get(NAME));
}

function parse(text: string | undefined): SpoolLosses | undefined {
  try {
    const { count, last_at } = JSON.parse(text ?? '{}') as Partial<SpoolLosses>;
    return Number.isFinite(count) && Number.isFinite(last_at)
      ? ({ count, last_at } as SpoolLosses)
      : undefined;
  } catch {
    return undefined;
  }
}
