import { spawn } from 'node:child_process'
import {
  cp,
  link as hardLink,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { afterAll, inject } from 'vitest'
import { codeCache } from './processes.ts'

/** A process that ended. */
export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** The package as its users have it. */
export interface Packed {
  /** An empty project into which the tarball was installed. */
  project(): Promise<string>
  /** The example suites with the client they test, in a project that has the package and their runners. */
  examples(): Promise<string>
  /** Runs a program in a folder; see `run`. */
  run(command: string, args: readonly string[], cwd: string): Promise<Ended>
  /** Runs it with the Node that runs the tests. */
  node(args: readonly string[], cwd: string): Promise<Ended>
}

/** The programs of the runners, as `npx` would start them. */
export const programs = {
  vitest: resolve('node_modules/vitest/vitest.mjs'),
  playwright: resolve('node_modules/@playwright/test/cli.js'),
  jest: resolve('node_modules/jest/bin/jest.js'),
  tsc: resolve('node_modules/typescript/bin/tsc'),
}

/**
 * The timeout of tests that must pass or fail for their own reasons: the default of 5 s may not be enough for the start
 * of a file if many run on few cores.
 */
export const limits = {
  vitest: ['--testTimeout=120000', '--hookTimeout=120000'],
  playwright: ['--timeout=120000'],
  jest: ['--testTimeout=120000'],
}

/** The installed package, for the tests of one file; what they write is removed after them. */
export function packedPackage(): Packed {
  const home = mkdtemp(join(tmpdir(), 'sandbox-consumer-'))
  let projects = 0
  afterAll(async () => rm(await home, { recursive: true, force: true }))

  const project = async (): Promise<string> => {
    const folder = join(await home, `project-${++projects}`)
    const installed = inject('installedPackage')
    await cp(join(installed, 'package.json'), join(folder, 'package.json'))
    await linkTree(join(installed, 'node_modules'), join(folder, 'node_modules'))
    return folder
  }
  const examples = async (): Promise<string> => {
    const folder = await project()
    await cp('test/examples', folder, { recursive: true })
    await link(folder, 'vitest', '@playwright/test', 'jest', '@jest/globals', 'typescript', '@types/node')
    return folder
  }
  return {
    project,
    examples,
    run: async (command, args, cwd) => run(command, args, cwd, await home),
    node: async (args, cwd) => run(process.execPath, args, cwd, await home),
  }
}

export async function addFiles(
  folder: string,
  files: Readonly<Record<string, string | object>>,
): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
}

/** Makes libraries that a user has installed as well available, with their programs: those of this repository. */
export async function link(folder: string, ...names: string[]): Promise<void> {
  for (const name of names) {
    const at = join(folder, 'node_modules', name)
    await mkdir(dirname(at), { recursive: true })
    await symlink(resolve('node_modules', name), at)
    const { bin = {} } = await readJson(join(at, 'package.json'))
    for (const program of Object.keys(typeof bin === 'string' ? { [name]: bin } : (bin as object))) {
      await symlink(resolve('node_modules/.bin', program), join(folder, 'node_modules/.bin', program))
    }
  }
}

export async function readJson(file: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>
}

/** Copies a folder by hard links: no byte is written, and programs see real files. */
async function linkTree(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await linkTree(source, target)
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target)
    else await hardLink(source, target)
  }
}

/**
 * Runs a program with this Node first on the path. Nothing of our own environment reaches it: no npm settings, no cache,
 * no test runner that it could mistake for its own; and npm has no network.
 */
async function run(command: string, args: readonly string[], cwd: string, home: string): Promise<Ended> {
  const child = spawn(command, args, {
    cwd,
    env: {
      PATH: [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
      HOME: home,
      ...codeCache,
      NO_COLOR: '1',
      npm_config_cache: join(home, 'cache'),
      npm_config_offline: 'true',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_update_notifier: 'false',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const code = await new Promise<number | null>((done, fail) => {
    child.on('error', fail)
    child.on('close', done)
  })
  return { code, stdout, stderr }
}
