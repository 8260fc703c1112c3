// One run of a suite under matrix: with a sandbox of its own and a timeout.
import { join } from 'node:path'
import type { CommandSettings } from '../../options/index.ts'
import type { RunTally } from '../../sandbox/runs/run-tally.ts'
import type { Program } from '../../runtime/program.ts'
import { createSandbox, type Sandbox } from '../../sandbox/index.ts'
import { DocumentError } from '../../input/problems.ts'
import { childEnvironment } from './child-environment.ts'
import { startCommand, type CommandLine } from './command.ts'
import { exitCodes, type ProgramIo } from '../io.ts'
import { OutputTail } from './output-tail.ts'
import { bind } from '../serve/serving.ts'
import { libraryOptions } from '../settings.ts'
import { withRun, type Run } from './run.ts'
import { supervise } from './supervise.ts'
import type { Timing } from '../timing.ts'

/** The command and its options. */
export interface Suite {
  command: CommandLine
  options: CommandSettings
  io: ProgramIo
  timing: Timing
}

/** The result of a suite. */
export interface SuiteRun {
  /** Its exit code. */
  code: number
  /** The end of its output, and notices about it. */
  output: string
  /** The tally of the calls that the suite made. */
  tally: RunTally
}

/**
 * @param most timeout in ms, after which it is killed.
 * @param value the value that is tried, such as `create_status=200`; `base` for the current values. Traces of failed
 * tests are in a subfolder of this name.
 */
export async function runOnce(suite: Suite, most: number, value = 'base'): Promise<SuiteRun> {
  const keeps = { journal: false, traceSubfolder: join('matrix', value) }
  return withRun(suite.options, keeps, suite.io, async (run) => {
    let sandbox: Sandbox
    const bugs: string[] = []
    const onBug = (error: unknown, id: string): void => {
      bugs.push(`bug ${id}: ${error instanceof Error ? error.name : typeof error}. Please report it.\n`)
    }
    try {
      sandbox = await createSandbox(libraryOptions(suite.options), { onBug }, run.watcher)
    } catch (error) {
      // A value may make fixtures invalid, which then rest on the other value.
      if (!(error instanceof DocumentError) || most === Number.POSITIVE_INFINITY) throw error
      return { code: exitCodes.badFile, output: `${error.message}\n`, tally: await run.gather() }
    }
    try {
      const { code, output } = await runWithSandbox(sandbox, run, suite, most)
      return { code, output: output + bugs.join(''), tally: await run.gather() }
    } finally {
      await sandbox.close()
    }
  })
}

async function runWithSandbox(
  sandbox: Sandbox,
  run: Run,
  { command, options, io, timing }: Suite,
  most: number,
): Promise<Omit<SuiteRun, 'tally'>> {
  const server = await bind(sandbox, 0, options.host)
  const { env, problem } = childEnvironment(sandbox, server, options, io.env)
  const tail = new OutputTail()
  const over = new AbortController()
  let late = ''
  const killLate = async (program: Program): Promise<void> => {
    if (!(await timing.wait(most, over.signal))) return
    late = `It did not end within ${Math.round(most / 1000)} s, and was killed.\n`
    program.kill('SIGKILL')
  }
  const start = async (): Promise<Program> => {
    const program = await startCommand(command, io, {
      env: { ...env, ...run.env },
      onOutput: (chunk) => tail.add(chunk),
    })
    if (Number.isFinite(most)) void killLate(program)
    return program
  }
  try {
    const code = await supervise(start, io, { sharesTerminal: false, timing })
    return { code, output: tail.text() + late + (problem === undefined || code === 0 ? '' : `${problem}\n`) }
  } finally {
    over.abort()
  }
}
