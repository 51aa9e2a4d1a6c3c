/** What one folder may import. The order of the table is the order of the floors, the ground floor first. */
export interface Layer {
  readonly folder: string;
  /** Other folders of the house. Its own files are always allowed. */
  readonly folders: readonly string[];
  /** Packages, subpaths included (`aedes-persistence` covers `aedes-persistence/asyncPersistence.js`). */
  readonly packages: readonly string[];
  /** Whether Node's own modules are allowed. */
  readonly node: boolean;
}

const GROUND = ['protocol'];
const FIRST = ['runtime', 'protocol'];
const SIBLINGS = [
  'broker',
  'services/aggregator',
  'services/http',
  'services/notifier',
  'services/sources',
  'services/usage',
  'hooks',
  'hooks/installers',
];

/** The rule of the house: `cli -> siblings -> runtime -> protocol`, and packages by allow-list. */
export const LAYERS: readonly Layer[] = [
  { folder: 'protocol', folders: [], packages: ['zod'], node: false },
  {
    folder: 'runtime',
    folders: GROUND,
    packages: ['mqtt', 'pino', 'smol-toml', 'zod', 'better-sqlite3'],
    node: true,
  },
  {
    folder: 'broker',
    folders: FIRST,
    packages: ['aedes', 'aedes-persistence', 'ws', 'better-sqlite3'],
    node: true,
  },
  { folder: 'services/aggregator', folders: FIRST, packages: ['better-sqlite3'], node: true },
  { folder: 'services/http', folders: FIRST, packages: ['fastify', 'prom-client', 'zod'], node: true },
  { folder: 'services/notifier', folders: FIRST, packages: ['undici', 'better-sqlite3'], node: true },
  { folder: 'services/sources', folders: FIRST, packages: [], node: true },
  { folder: 'services/usage', folders: FIRST, packages: [], node: true },
  { folder: 'hooks/installers', folders: FIRST, packages: ['jsonc-parser', 'smol-toml'], node: true },
  { folder: 'hooks', folders: FIRST, packages: [], node: true },
  {
    folder: 'cli',
    folders: [...SIBLINGS, ...FIRST],
    packages: ['commander', 'diff', 'string-width', 'uqr'],
    node: true,
  },
];

/** Folders with code that stands outside the house: they may import any floor, and the rules about contents are not for them. */
export const OUTSIDE: readonly string[] = ['scripts', 'test', 'bench'];

/** The layer a file lies in, by its path from the root with `/`; undefined for one outside the house. */
export function layerOf(path: string): Layer | undefined {
  return LAYERS.find(({ folder }) => path.startsWith(`${folder}/`));
}

/** Whether a file belongs to the folders that stand outside the house (or to the root itself). */
export function isOutside(path: string): boolean {
  return !path.includes('/') || OUTSIDE.some((folder) => path.startsWith(`${folder}/`));
}
