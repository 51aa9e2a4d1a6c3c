import { type NameRules, type ProjectName, projectNamer } from './project-name.ts';

interface Live {
  readonly cwd: string;
  readonly name: ProjectName;
}

/** The names of the live projects: two that are equal get their parent in front, as long as both live (spec: state, section 2). */
export class ProjectNames {
  readonly #namer: (cwd: string | undefined, sessionId: string) => ProjectName;
  readonly #live = new Map<string, Live>();
  /** Short name -> cwd -> ids. */
  readonly #byShort = new Map<string, Map<string, Set<string>>>();

  constructor(rules: NameRules) {
    this.#namer = projectNamer(rules);
  }

  /** Adds a session. @returns the short name, and the ids whose shown name may have changed with it */
  add(id: string, cwd: string | undefined, sessionId: string): { short: string; touched: readonly string[] } {
    const name = this.#namer(cwd, sessionId);
    const place = cwd ?? `\0${id}`;
    this.#live.set(id, { cwd: place, name });
    const places = this.#byShort.get(name.short) ?? new Map<string, Set<string>>();
    this.#byShort.set(name.short, places);
    const ids = places.get(place);
    if (ids !== undefined) ids.add(id);
    else places.set(place, new Set([id]));
    // Only the second place of a name makes the first one's ambiguous.
    return { short: name.short, touched: ids === undefined && places.size === 2 ? idsOf(places, id) : [] };
  }

  /** Takes a session out. @returns the ids whose shown name may have changed with it */
  remove(id: string): readonly string[] {
    const live = this.#live.get(id);
    if (live === undefined) return [];
    this.#live.delete(id);
    const places = this.#placesOf(live);
    const ids = places.get(live.cwd) as Set<string>;
    ids.delete(id);
    if (ids.size > 0) return [];
    places.delete(live.cwd);
    if (places.size === 0) this.#byShort.delete(live.name.short);
    return places.size === 1 ? idsOf(places, id) : [];
  }

  /** The name to show. */
  shown(id: string): string {
    const live = this.#live.get(id);
    if (live === undefined) return '';
    return this.#placesOf(live).size > 1 ? live.name.long : live.name.short;
  }

  #placesOf(live: Live): Map<string, Set<string>> {
    return this.#byShort.get(live.name.short) as Map<string, Set<string>>;
  }
}

function idsOf(places: ReadonlyMap<string, ReadonlySet<string>>, but: string): string[] {
  return [...places.values()].flatMap((ids) => [...ids]).filter((id) => id !== but);
}
