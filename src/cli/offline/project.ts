// The project that init is run in: its test runner, and in which language its tests are.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, posix } from 'node:path'
import { z } from 'zod'

/** The runners for which `init` writes a test; a vitest that is too old for the kit gets one without it. */
export const starterRunners = ['vitest', 'old vitest', 'playwright', 'jest', 'node:test'] as const
export type StarterRunner = (typeof starterRunners)[number]

/** What decides which test is written. */
export interface Project {
  runner: StarterRunner
  /** The version of a vitest that is too old. */
  version?: string
  /** Its runner takes TypeScript, and it is written in it. */
  typescript: boolean
  /** Jest runs modules, and not CommonJS. */
  modules: boolean
  /** `expect` and `test` have global types. */
  globalTypes: boolean
  /** The folder for tests. */
  folder: string
  /** `npm test` runs something: the project has that script, and it is not the one of `npm init`. */
  npmTest: boolean
}

/** The first vitest whose fixtures the kit can use. */
const minVitest = [4, 1] as const

/** What makes Jest take TypeScript. */
const transformsForJest = ['ts-jest', '@swc/jest', 'esbuild-jest', '@babel/preset-typescript']

const words = z.record(z.string(), z.string()).catch({})
const manifestSchema = z
  .object({ type: z.string().catch(''), scripts: words, dependencies: words, devDependencies: words })
  .catch({ type: '', scripts: {}, dependencies: {}, devDependencies: {} })
type Manifest = z.output<typeof manifestSchema>

export async function projectIn(cwd: string): Promise<Project> {
  const manifest = manifestSchema.parse(await readManifest(join(cwd, 'package.json')))
  const libraries = { ...manifest.dependencies, ...manifest.devDependencies }
  const has = (name: string): boolean => Object.hasOwn(libraries, name)
  const isThere = (name: string): boolean => existsSync(join(cwd, name))
  const runner = runnerOf(manifest, has)
  const version = runner === 'vitest' ? await vitestOf(cwd, libraries['vitest'] ?? '') : undefined
  const isOld = version !== undefined && isOlder(version)
  const inTypeScript = has('typescript') || isThere('tsconfig.json') || isThere(`${runner}.config.ts`)
  return {
    runner: isOld ? 'old vitest' : runner,
    ...(isOld ? { version } : {}),
    typescript:
      inTypeScript &&
      runner !== 'node:test' &&
      (runner !== 'jest' || transformsForJest.some((name) => has(name))),
    modules:
      manifest.type === 'module' && /experimental-vm-modules/.test(Object.values(manifest.scripts).join(' ')),
    globalTypes: has('@types/jest'),
    folder: runner === 'playwright' ? await playwrightFolder(cwd) : 'test',
    npmTest: !/^$|no test specified/.test(manifest.scripts['test'] ?? ''),
  }
}

/** The one that `npm test` names, of those that the project has; else the first of them. */
function runnerOf(
  { scripts }: Manifest,
  has: (name: string) => boolean,
): Exclude<StarterRunner, 'old vitest'> {
  const known = [
    ['vitest', 'vitest'],
    ['jest', 'jest'],
    ['playwright', '@playwright/test'],
  ] as const
  const there = known.filter(([, name]) => has(name))
  const named = there.find(([program]) => scripts['test']?.includes(program))
  return (named ?? there[0])?.[0] ?? 'node:test'
}

/** The version that is installed; else the major one that is asked for, of which npm installs the newest. */
async function vitestOf(cwd: string, asked: string): Promise<string> {
  try {
    const file = createRequire(join(cwd, 'package.json')).resolve('vitest/package.json')
    return z.object({ version: z.string() }).parse(await readManifest(file)).version
  } catch {
    return /\d+/.exec(asked)?.[0] ?? ''
  }
}

/** A version that is not known, such as `latest`, is not old. */
function isOlder(version: string): boolean {
  const [minMajor, minMinor] = minVitest
  const [major = minMajor, minor = minMinor] = version.match(/\d+/g)?.map(Number) ?? []
  return major < minMajor || (major === minMajor && minor < minMinor)
}

/** Where its config says that tests are; there is no telling where that is made by code. */
async function playwrightFolder(cwd: string): Promise<string> {
  for (const ending of ['ts', 'js', 'mjs', 'cjs', 'mts', 'cts']) {
    const text = await readFile(join(cwd, `playwright.config.${ending}`), 'utf8').catch(() => '')
    const [, folder] = /\btestDir\s*:\s*(['"`])(.+?)\1/.exec(text)?.slice(1) ?? []
    if (folder !== undefined) return posix.normalize(folder).replace(/\/$/, '')
  }
  return 'test'
}

/** None, and one that npm will complain of by itself, are as an empty one. */
async function readManifest(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return {}
  }
}
