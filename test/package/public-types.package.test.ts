import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { publicTypeDefects } from '../../scripts/package/public-types.mjs'
import { folderWith } from '../helpers/fake-io.ts'

/** Returns the errors of a package of these declarations. */
async function defectsIn(declarations: Readonly<Record<string, string>>): Promise<string[]> {
  return publicTypeDefects(await packageOf(declarations))
}

async function packageOf(declarations: Readonly<Record<string, string>>): Promise<string> {
  const entries = { '.': { types: './dist/index.d.mts' }, './schemas/*': './dist/schemas/*' }
  const kit = 'kit.d.mts' in declarations ? { './kit': { types: './dist/kit.d.mts' } } : {}
  return folderWith({
    'package.json': { exports: { ...entries, ...kit }, peerDependencies: { vitest: '*' } },
    ...Object.fromEntries(Object.entries(declarations).map(([name, text]) => [`dist/${name}`, text])),
  })
}

const leak = 'exposes types of: zod. Write the public type out.'
const shows = (entry: string, type: string, where: string): string =>
  `dist/${entry} shows ${type} in ${where}, and does not export it.`
const promises = (entry: string, error: string, where: string): string =>
  `dist/${entry} promises ${error} in ${where}, and does not export it.`

it.each<[string, Record<string, string>, string[]]>([
  [
    'plain data, the platform, a runner, its own generics and errors -> nothing',
    {
      'index.d.mts': `
import { TestAPI } from 'vitest'
import { t as Row } from './chunk-1.mjs'
declare const kinds: readonly ['a', 'b']
type Kind = (typeof kinds)[number]
declare class OwnError extends Error {}
/** @throws {OwnError} for one. @throws {RangeError} for another. @throws {AssertionError} too. */
declare function ask<T extends Row>(kind: Kind, request: Request): Promise<T>
declare const test: TestAPI
export { OwnError, type Kind, type Row, ask, test }`,
      'chunk-1.d.mts': 'interface Row { id: string }\nexport { Row as t }',
    },
    [],
  ],
  [
    'a type of a library, bundled -> found',
    { 'index.d.mts': '//#region node_modules/zod/v4/core.d.ts\ndeclare const x: string\nexport { x }' },
    [`dist/index.d.mts ${leak}`],
  ],
  [
    'a type of a library, imported, in a file that entries share -> found',
    {
      'index.d.mts': "export { x } from './chunk-1.mjs'",
      'chunk-1.d.mts': "import { ZodType } from 'zod'\ndeclare const x: ZodType\nexport { x }",
    },
    [`dist/chunk-1.d.mts ${leak}`],
  ],
  [
    'a type that a signature names, and what that names in turn -> found where it is not exported',
    {
      'index.d.mts': `
import { n as Deep } from './chunk-1.mjs'
interface Base { deep: Deep[] }
interface Shown extends Base { ask(options?: { of: Partial<Filter> }): void }
type Filter = { id: string }
export { type Shown }`,
      'chunk-1.d.mts': 'interface Deep { id: string }\nexport { Deep as n }',
    },
    [
      shows('index.d.mts', 'Base', 'Shown'),
      shows('index.d.mts', 'Deep', 'Base'),
      shows('index.d.mts', 'Filter', 'Shown'),
    ],
  ],
  [
    'a type that the main entry exports, and a kit only shows -> found there',
    {
      'index.d.mts': "export { Row } from './chunk-1.mjs'",
      'kit.d.mts': `
import { Row } from './chunk-1.mjs'
interface Matchers<R> { toHave(row: Row): R }
declare module 'vitest' { interface Assertion<T> extends Matchers<T> {} }
export {}`,
      'chunk-1.d.mts': 'interface Row { id: string }\nexport { Row }',
    },
    [shows('kit.d.mts', 'Matchers', 'vitest'), shows('kit.d.mts', 'Row', 'Matchers')],
  ],
  [
    'an error that a docstring promises -> found where its class is not exported, or only its type',
    {
      'index.d.mts': `
declare class TypeOnlyError extends Error {}
interface Verbs {
  /**
   * Does something.
   * @throws {MissingError} for this. @throws {TypeOnlyError} for that.
   */
  act(): void
}
export { type TypeOnlyError, type Verbs }`,
    },
    [promises('index.d.mts', 'MissingError', 'Verbs'), promises('index.d.mts', 'TypeOnlyError', 'Verbs')],
  ],
])('%s', async (_title, declarations, defects) => {
  expect(await defectsIn(declarations)).toEqual(defects)
})

it('the check of a package prints each, and ends with 1', async () => {
  const folder = await packageOf({ 'index.d.mts': "import { ZodType } from 'zod'\nexport { ZodType }" })
  const script = fileURLToPath(new URL('../../scripts/package/check-public-types.mjs', import.meta.url))
  const ended = await new Promise((resolve) => {
    execFile(process.execPath, [script, folder], (error, stdout, stderr) =>
      resolve([error?.code ?? 0, stdout, stderr]),
    )
  })
  expect(ended).toEqual([1, '', `dist/index.d.mts ${leak}\n`])
})
