// The folder through which the sandboxes of a run report to it: the options of the run, and a file of each sandbox.
import {
  appendFileSync,
  createReadStream,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RuleRecord } from '../../explain/sandbox-findings.ts'
import type { SandboxOptions } from '../../options/index.ts'
import { stringify } from '../../json/stringify.ts'
import { parseExact } from '../../json/parse-exact.ts'
import { isSystemError, packageVersion, uniqueName } from '../../runtime/host.ts'
import type { TimelineEntry } from '../../workspaces/timeline.ts'
import type { CallRecord } from './call-record.ts'
import type { TestResult } from '../../call/test-result.ts'

/** The variable that names it to the programs of a run. */
export const runVariable = 'SANDBOX_RUN'

/** One line of a report, written by this package and read by the same one. */
export type ReportLine =
  /** A sandbox joined, in the process of this id. */
  | { joined: { process: number } }
  | { call: CallRecord }
  | { rules: readonly RuleRecord[] }
  /** Something was done to a workspace from outside the API. */
  | { action: { workspace: string; entry: TimelineEntry } }
  /** A test ended. */
  | { test: TestResult }
  /** A test kit wrote the trace of a failed test into this file. */
  | { trace: string }
  /** A sandbox of its own was started by this verb, whose calls are none of the run. */
  | { other: string }

/** What the sandboxes that join a run are told. */
export interface RunTerms {
  /** What they begin with. */
  options: SandboxOptions
  /** Whether the run writes a journal of its calls. */
  journal: boolean
  /** Whether it writes why each was answered so, too. */
  explanations?: boolean
}

const termsFile = 'run.json'
const reportEnd = '.jsonl'

/**
 * Makes the folder of a run, for nobody but this user: fixtures among the options may hold keys.
 * @throws the failure of the system where nothing can be written.
 */
export async function makeRunFolder(terms: RunTerms): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'partner-rewards-run-'))
  const text = JSON.stringify({ version: packageVersion(), ...terms })
  await writeFile(join(folder, termsFile), text, { mode: 0o600 })
  return folder
}

/** At once, as it may be the last thing that a process does. */
export function removeRunFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}

/**
 * The terms of a run; undefined when it is over, or of another version of this package, which reads other reports, and
 * where there is no run at all.
 */
export function termsOfRun(folder: string): RunTerms | undefined {
  try {
    const written = JSON.parse(readFileSync(join(folder, termsFile), 'utf8')) as RunTerms & {
      version: string
    }
    const { version, ...terms } = written
    return version === packageVersion() ? terms : undefined
  } catch {
    return undefined
  }
}

/**
 * A report of its own within a run. A line is written when the function returns: it is there also when the process is
 * killed then. Where it cannot be written, as the run is over or the disk is full, nobody is told: a report changes
 * nothing of what a sandbox answers.
 */
export function openReport(folder: string): (line: ReportLine) => void {
  const file = join(folder, `${uniqueName()}${reportEnd}`)
  return (line) => {
    try {
      appendFileSync(file, `${stringify(line)}\n`, { mode: 0o600 })
    } catch (error) {
      if (!isSystemError(error)) throw error
    }
  }
}

/** Gives each sandbox that joins a run a number of its own, from 1; 1 where nothing can be written any more. */
export function numberInRun(folder: string): number {
  try {
    const taken = readdirSync(folder).filter((name) => name.startsWith(numberPrefix)).length
    for (let number = taken + 1; ; number += 1)
      if (isClaimed(join(folder, numberPrefix + number))) return number
  } catch (error) {
    if (!isSystemError(error)) throw error
    return 1
  }
}

const numberPrefix = 'sandbox-'

/** Creates a file, unless another process did. */
function isClaimed(file: string): boolean {
  try {
    writeFileSync(file, '', { mode: 0o600, flag: 'wx' })
    return true
  } catch (error) {
    if (isSystemError(error) && error.code === 'EEXIST') return false
    throw error
  }
}

/**
 * What was reported, line by line, as a report may be longer than the longest text there can be. A line that was being
 * written when its process was killed is left out.
 */
export async function* readReports(folder: string): AsyncGenerator<{ name: string; line: ReportLine }> {
  const names = existsSync(folder) ? await readdir(folder) : []
  for (const name of names.filter((each) => each.endsWith(reportEnd)).toSorted()) {
    let rest = ''
    for await (const chunk of createReadStream(join(folder, name), 'utf8')) {
      const lines = (rest + String(chunk)).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) yield { name, line: parseExact(line, true) as ReportLine }
    }
  }
}

/** Tells the run of the surrounding command, where there is one, of a sandbox that is none of it. */
export function reportOther(env: Readonly<Record<string, string | undefined>>, verb: string): void {
  const folder = env[runVariable]
  if (folder) openReport(folder)({ other: verb })
}
