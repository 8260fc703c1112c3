// Detects the project of init: its test runner, and the language of its tests.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, posix } from 'node:path'
import { z } from 'zod'

/** The runners for which `init` writes a test; a vitest that is too old for the kit gets one without it. */
export const starterRunners = ['vitest', 'old vitest', 'playwright', 'jest', 'node:test'] as const
export type StarterRunner = (typeof starterRunners)[number]

/** The properties of the project that decide about the test. */
export interface Project {
  runner: StarterRunner
  /** The version of a vitest that is too old. */
  version?: string
  /** Its runner supports TypeScript, and the project uses it. */
  typescript: boolean
  /** Jest runs ES modules instead of CommonJS. */
  modules: boolean
  /** `expect` and `test` have global types. */
  globalTypes: boolean
  /** The folder for tests. */
  folder: string
  /** `npm test` runs something: the project has that script, and it is not the default of `npm init`. */
  npmTest: boolean
}

/** The first vitest version that the kit supports. */
const minVitest = [4, 1] as const

/** Packages with which Jest supports TypeScript. */
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

/** Returns the installed runner that `npm test` names, or the first installed runner, or node:test. */
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

/** Returns the installed version, or the requested major version, whose newest release npm installs. */
async function vitestOf(cwd: string, requestedVersion: string): Promise<string> {
  try {
    const file = createRequire(join(cwd, 'package.json')).resolve('vitest/package.json')
    return z.object({ version: z.string() }).parse(await readManifest(file)).version
  } catch {
    return /\d+/.exec(requestedVersion)?.[0] ?? ''
  }
}

/** An unknown version, such as `latest`, is not old. */
function isOlder(version: string): boolean {
  const [minMajor, minMinor] = minVitest
  const [major = minMajor, minor = minMinor] = version.match(/\d+/g)?.map(Number) ?? []
  return major < minMajor || (major === minMajor && minor < minMinor)
}

/** Reads the test folder from its config; it cannot be read if code computes it. */
async function playwrightFolder(cwd: string): Promise<string> {
  for (const ending of ['ts', 'js', 'mjs', 'cjs', 'mts', 'cts']) {
    const text = await readFile(join(cwd, `playwright.config.${ending}`), 'utf8').catch(() => '')
    const [, folder] = /\btestDir\s*:\s*(['"`])(.+?)\1/.exec(text)?.slice(1) ?? []
    if (folder !== undefined) return posix.normalize(folder).replace(/\/$/, '')
  }
  return 'test'
}

/** A missing or invalid manifest is treated as empty; npm reports an invalid one itself. */
async function readManifest(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return {}
  }
}
