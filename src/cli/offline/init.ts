// The verb init: writes a first fixture, scenario, config and test for the test runner that the project has.
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { isJsonObject } from '../../contract/formats.ts'
import { isSystemError, shownPath } from '../../runtime/host.ts'
import { configFileIn } from '../config-file.ts'
import { CliError, type Io } from '../io.ts'
import {
  starterConfig,
  starterFiles,
  starterTest,
  type StarterFile,
  type StarterRunner,
} from './starter-files.ts'

const packageName = 'partner-rewards-sandbox'

/** What is there already stays as it is. The command that runs the test goes to stdout. */
export async function init(io: Io): Promise<void> {
  const runner = await runnerOf(io.cwd)
  for (const file of starterFiles(runner)) {
    const there = await writeNew(file, io.cwd)
    io.stderr(there === undefined ? `created ${file.path}\n` : `kept    ${there}, which was there already\n`)
  }
  const install = isInstalled(io.cwd) ? '' : `npm install --save-dev ${packageName} && `
  io.stderr('\nRun the test:\n')
  io.stdout(`${install}${runner === 'vitest' ? 'npx vitest run' : 'node --test'} ${starterTest}\n`)
}

/** Vitest where the project names it; else the runner that comes with Node. */
async function runnerOf(cwd: string): Promise<StarterRunner> {
  let manifest: unknown
  try {
    manifest = JSON.parse(await readFile(join(cwd, 'package.json'), 'utf8'))
  } catch {
    // None, or one that npm will complain of by itself.
    return 'node:test'
  }
  const names = (field: string): boolean => {
    const listed = isJsonObject(manifest) ? manifest[field] : undefined
    return isJsonObject(listed) && 'vitest' in listed
  }
  return names('devDependencies') || names('dependencies') ? 'vitest' : 'node:test'
}

/** Writes a file that is not there yet; else gives the one that is in its place. */
async function writeNew({ path, text }: StarterFile, cwd: string): Promise<string | undefined> {
  const file = join(cwd, path)
  // Of several config files only the first counts, so a new one could put that of the user out of use.
  const config = path === starterConfig.path ? configFileIn(cwd) : undefined
  const there = config ?? (existsSync(file) ? file : undefined)
  if (there !== undefined) return shownPath(there, cwd)
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text, { flag: 'wx' })
    return undefined
  } catch (error) {
    if (!isSystemError(error)) throw error
    if (error.code === 'EEXIST' && existsSync(file)) return path
    throw new CliError(`error: cannot write '${path}' (${error.code})`)
  }
}

function isInstalled(cwd: string): boolean {
  try {
    createRequire(join(cwd, 'package.json')).resolve(`${packageName}/package.json`)
    return true
  } catch {
    return false
  }
}
