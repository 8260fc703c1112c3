// The verb init: writes a first fixture, scenario, config and test for the test runner of the project.
import { existsSync } from 'node:fs'
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { defaultTraceDir } from '../../options/index.ts'
import { isSystemError, shownPath } from '../../runtime/host.ts'
import { configFileIn } from '../config-file.ts'
import { CliError, type Io } from '../io.ts'
import { projectIn } from './project.ts'
import { starterConfig, starterFiles } from './starter-files.ts'

const packageName = 'partner-rewards-sandbox'

/** Existing files stay unchanged. The command that runs the test goes to stdout. */
export async function init(io: Io): Promise<void> {
  const project = await projectIn(io.cwd)
  const { files, command, script } = starterFiles(project)
  for (const { path, text } of files) {
    const there = await writeNew(path, text, io.cwd)
    io.stderr(there === undefined ? `created ${path}\n` : `kept    ${there}, which existed already\n`)
  }
  await ignoreTraces(io)
  if (project.runner === 'old vitest') {
    io.stderr(
      `\nThe kit for vitest needs 4.1, and the project has ${project.version}: the test is written without it.\n`,
    )
  }
  const install = isInstalled(io.cwd) ? '' : `npm install --save-dev ${packageName} && `
  io.stderr('\nRun the test:\n')
  io.stdout(`${install}${command}\n`)
  io.stderr(
    project.npmTest
      ? '\nRun all tests: npm test\n'
      : `\nnpm test runs nothing yet. Let it run all tests: npm pkg set "scripts.test=${script}"\n`,
  )
}

/** Adds the folder of the traces to .gitignore, and creates the file if needed. */
async function ignoreTraces({ cwd, stderr }: Io): Promise<void> {
  const file = join(cwd, '.gitignore')
  const line = `${defaultTraceDir}/`
  try {
    const text = existsSync(file) ? await readFile(file, 'utf8') : ''
    if (text.split(/\r?\n/).includes(line)) return
    await appendFile(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`)
    stderr(`added   ${line} to .gitignore\n`)
  } catch (error) {
    if (!isSystemError(error)) throw error
    throw new CliError(`error: cannot write '.gitignore' (${error.code})`)
  }
}

/** Writes a file that does not exist yet; otherwise returns the existing one. */
async function writeNew(path: string, text: string, cwd: string): Promise<string | undefined> {
  const file = join(cwd, path)
  // Only the first of several config files is read, so a new one could disable that of the user.
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
