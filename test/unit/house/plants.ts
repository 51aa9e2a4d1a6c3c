/** [what is planted, where, the source, what the tool says of that file] */
export type Plant = readonly [what: string, path: string, source: string, says: RegExp];

export const BUILD: readonly Plant[] = [
  [
    'an upward import of a value',
    'protocol/up-value.ts',
    "import { motor } from '../runtime/motor.ts';\nexport const a = motor;\n",
    /TS(?:6059|6307)/,
  ],
  [
    'an upward import of a type',
    'runtime/up-type.ts',
    "import type { Post } from '../broker/post.ts';\nexport type A = Post;\n",
    /TS(?:6059|6307)/,
  ],
  [
    'a sideways import of a value',
    'broker/sideways-value.ts',
    "import { door } from '../services/http/door.ts';\nexport const a = door;\n",
    /TS(?:6059|6307)/,
  ],
  [
    'a sideways import of a type',
    'services/http/sideways-type.ts',
    "import type { Sum } from '../aggregator/sum.ts';\nexport type A = Sum;\n",
    /TS(?:6059|6307)/,
  ],
  [
    'a sibling that imports the top',
    'services/aggregator/up-top.ts',
    "import { main } from '../../cli/main.ts';\nexport const a = main;\n",
    /TS(?:6059|6307)/,
  ],
  [
    'a Node module on the ground floor',
    'protocol/node-module.ts',
    "import { readFileSync } from 'node:fs';\nexport const a = readFileSync;\n",
    /TS(?:2307|2591)/,
  ],
  ['a timer on the ground floor', 'protocol/timer.ts', 'export const a = setTimeout;\n', /TS(?:2304|2591)/],
  ['an enum', 'runtime/enum.ts', 'export enum Colour {\n  Red,\n}\n', /TS1294/],
  [
    'an unchecked index',
    'runtime/unchecked.ts',
    "export const first: string = ['a'].slice()[0];\n",
    /TS2322/,
  ],
  [
    'a type imported as a value',
    'cli/not-a-type.ts',
    "import { Post } from '../broker/post.ts';\nexport type A = Post;\n",
    /TS1484/,
  ],
];

export const CHECK: readonly Plant[] = [
  [
    'a package that the floor may not have',
    'runtime/package-value.ts',
    "import { Aedes } from 'aedes';\nexport const a = Aedes;\n",
    /layers: .*"aedes"/,
  ],
  [
    'the type of such a package',
    'broker/package-type.ts',
    "import type { FastifyInstance } from 'fastify';\nexport type A = FastifyInstance;\n",
    /layers: .*"fastify"/,
  ],
  [
    'such a package by re-export',
    'services/http/package-export.ts',
    "export * from 'ws';\nexport const a = 1;\n",
    /layers: .*"ws"/,
  ],
  [
    'a dynamic import upwards',
    'runtime/dynamic-up.ts',
    "export const a = () => import('../cli/main.ts');\n",
    /layers: .*cli\/main\.ts/,
  ],
  [
    'a dynamic import sideways',
    'broker/dynamic-sideways.ts',
    "export const a = () => import('../services/http/door.ts');\n",
    /layers: .*door\.ts/,
  ],
  [
    'a dynamic import nobody can check',
    'runtime/dynamic-computed.ts',
    'export const a = (name: string) => import(name);\n',
    /layers: .*computed/,
  ],
  [
    'an import() of a type upwards',
    'runtime/import-type.ts',
    "export type A = import('../cli/main.ts').Main;\n",
    /layers: .*cli\/main\.ts/,
  ],
  ['a require', 'runtime/require.ts', "export const a = require('node:fs');\n", /layers: require/],
  [
    'a triple-slash reference',
    'runtime/triple-slash.ts',
    '/// <reference path="../cli/main.ts" />\nexport const a = 1;\n',
    /layers: .*triple-slash/,
  ],
  ['a folder without a row', 'attic/box.ts', 'export const a = 1;\n', /layers: .*no row/],
  [
    'SQL outside a store',
    'services/aggregator/sql.ts',
    "export const a = 'SELECT id FROM sessions';\n",
    /sql: /,
  ],
  [
    'a database outside a store',
    'broker/database.ts',
    "import Database from 'better-sqlite3';\nexport const a = Database;\n",
    /sql: /,
  ],
  [
    'a pragma outside a store',
    'broker/pragma.ts',
    'export const a = (n: number) => `PRAGMA user_version = ${n}`;\n',
    /sql: /,
  ],
  [
    'a topic outside the table',
    'services/aggregator/topic.ts',
    "export const a = 'signal/claude';\n",
    /topic: /,
  ],
  [
    'a topic in a template',
    'broker/topic-template.ts',
    'export const a = (p: string, k: string) => `${p}session/${k}`;\n',
    /topic: /,
  ],
  [
    'the environment outside its door',
    'runtime/environment.ts',
    "export const a = process.env['HOME'];\n",
    /environment: /,
  ],
  [
    'the environment taken apart',
    'runtime/environment-apart.ts',
    'const { env } = process;\nexport const a = env;\n',
    /environment: /,
  ],
  [
    'the environment by import',
    'broker/environment-import.ts',
    "import { env } from 'node:process';\nexport const a = env;\n",
    /environment: /,
  ],
  [
    'the clock on the ground floor',
    'protocol/clock.ts',
    'export const a = () => Date.now();\n',
    /pure: Date\.now/,
  ],
  [
    'a date of now on the ground floor',
    'protocol/date.ts',
    'export const a = () => new Date();\n',
    /pure: new Date/,
  ],
  ['a timeout outside the table', 'protocol/timeout.ts', 'export const IDLE_MS = 5 * 60_000;\n', /timeout: /],
  [
    'chance on the ground floor',
    'protocol/chance.ts',
    'export const a = () => Math.random();\n',
    /pure: Math\.random/,
  ],
  [
    "zod within the sender's reach",
    'protocol/adapters/heavy.ts',
    "import { z } from 'zod';\nexport const a = z;\n",
    /sender: .*"zod"/,
  ],
  ['a file of above 300 lines', 'runtime/long.ts', '// A line.\n'.repeat(301), /size: 301 lines/],
  ['a file named utils', 'runtime/utils.ts', 'export const a = 1;\n', /name: "utils\.ts"/],
  ['a name in camel case', 'runtime/camelCase.ts', 'export const a = 1;\n', /name: "camelCase\.ts"/],
  ['a barrel', 'runtime/barrel.ts', "export { motor } from './motor.ts';\n", /barrel: /],
  [
    'a test that sleeps',
    'test/unit/sleepy.test.ts',
    'await new Promise((done) => setTimeout(done, 200));\n',
    /sleep: /,
  ],
  [
    'a test that sleeps by a helper',
    'test/unit/sleepy-too.test.ts',
    'declare const sleep: (ms: number) => Promise<void>;\nawait sleep(51);\n',
    /sleep: /,
  ],
];

export const LINT: readonly Plant[] = [
  [
    'a floating promise',
    'runtime/floating.ts',
    'const late = async (): Promise<number> => 1;\nlate();\nexport const a = late;\n',
    /no-floating-promises/,
  ],
  [
    'a promise where none is waited for',
    'broker/misused.ts',
    'export const a = (list: number[]) => {\n  list.forEach(async (each) => {\n    await Promise.resolve(each);\n  });\n};\n',
    /no-misused-promises/,
  ],
  [
    'a promise as a condition',
    'broker/condition.ts',
    'const late = async (): Promise<boolean> => false;\nexport const a = () => (late() ? 1 : 2);\n',
    /no-misused-promises/,
  ],
  [
    'an await of nothing',
    'runtime/await-nothing.ts',
    'export const a = async (): Promise<number> => {\n  return await 1;\n};\n',
    /await-thenable/,
  ],
  [
    'a cycle of values',
    'runtime/cycle-one.ts',
    "import { two } from './cycle-two.ts';\nexport const one = (): number => two();\n",
    /no-cycle/,
  ],
  [
    'a cycle of types alone',
    'runtime/knot-one.ts',
    "import type { Two } from './knot-two.ts';\nexport interface One {\n  readonly two: Two;\n}\n",
    /no-cycle/,
  ],
  [
    'a triple-slash reference',
    'runtime/triple-slash.ts',
    '/// <reference path="../cli/main.ts" />\nexport const a = 1;\n',
    /triple-slash-reference/,
  ],
  ['any', 'runtime/any.ts', 'export const a = (value: any): number => value;\n', /no-explicit-any/],
  ['a default export', 'runtime/default-export.ts', 'export default 1;\n', /no-default-export/],
];

/** The other half of each cycle. */
export const PARTNERS: Readonly<Record<string, string>> = {
  'runtime/cycle-two.ts': "import { one } from './cycle-one.ts';\nexport const two = (): number => one();\n",
  'runtime/knot-two.ts':
    "import type { One } from './knot-one.ts';\nexport interface Two {\n  readonly one: One;\n}\n",
};
