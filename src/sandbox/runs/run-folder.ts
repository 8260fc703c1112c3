// The folder through which sandboxes report to their run. It has the options of the run and a file of each sandbox.
import {
  appendFileSync,
  createReadStream,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RuleRecord } from '../../explain/sandbox-findings.ts'
import type { ReceiverPointId } from '../../events/receiver-points.ts'
import type { SandboxOptions } from '../../options/index.ts'
import { stringify } from '../../json/stringify.ts'
import { parseExact } from '../../json/parse-exact.ts'
import { isSystemError, packageVersion, uniqueName } from '../../runtime/host.ts'
import type { TimelineEntry } from '../../workspaces/timeline.ts'
import type { CallRecord } from './call-record.ts'
import type { TestResult } from '../../call/test-result.ts'

/** The environment variable that names the folder to the programs of a run. */
export const runVariable = 'SANDBOX_RUN'

/** A sandbox that joined a run: the id of its process, and its number, from 2. */
export interface JoinedSandbox {
  process: number
  sandbox: number
}

/** One line of a report. The same version of this package writes and reads it. */
export type ReportLine =
  | { joined: JoinedSandbox }
  | { call: CallRecord }
  | { rules: readonly RuleRecord[] }
  /** An attempt to deliver an event covered these points. */
  | { receiver: readonly ReceiverPointId[] }
  /** A caller changed a workspace by other means than the API. */
  | { action: { workspace: string; entry: TimelineEntry } }
  /** A test ended. */
  | { test: TestResult }
  /** A test kit wrote the trace of a failed test into this file. */
  | { trace: string }
  /** This verb started another sandbox, whose calls do not count for the run. */
  | { other: string }

/** The options that a run passes to the sandboxes that join it. */
export interface RunOptions {
  /** The default options of each sandbox. */
  options: SandboxOptions
  /** Whether the run writes a journal of its calls. */
  journal: boolean
  /** Whether the journal also explains each answer. */
  explanations?: boolean
  /** The subfolder into which test kits write traces, so that they do not replace those of runs with other values. */
  traceSubfolder?: string
}

const optionsFile = 'run.json'
const reportEnd = '.jsonl'

/**
 * Creates the folder of a run. Only this user can read it, as fixtures among the options may hold keys.
 * @throws the system error if the folder or its file cannot be written.
 */
export async function createRunFolder(runOptions: RunOptions): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'partner-rewards-run-'))
  const text = JSON.stringify({ version: packageVersion(), ...runOptions })
  await writeFile(join(folder, optionsFile), text, { mode: 0o600 })
  return folder
}

/** Removes the folder synchronously, as this may be the last thing that a process does. */
export function removeRunFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}

/**
 * Reads the terms of a run. Returns undefined if there is no run, if it is over, or if another version of this package
 * started it: that version reads other reports.
 */
export function readRunOptions(folder: string): RunOptions | undefined {
  try {
    const written = JSON.parse(readFileSync(join(folder, optionsFile), 'utf8')) as RunOptions & {
      version: string
    }
    const { version, ...runOptions } = written
    return version === packageVersion() ? runOptions : undefined
  } catch {
    return undefined
  }
}

/** Returns when the run of a folder began, in milliseconds since the epoch; undefined if it is over. */
export function startOfRun(folder: string): number | undefined {
  return statSync(join(folder, optionsFile), { throwIfNoEntry: false })?.mtimeMs
}

/**
 * Opens a report within a run. A line is written synchronously, so that it survives if the process is killed next. It
 * ignores system errors, such as a full disk or a removed folder, as a report must not affect the answers of a sandbox.
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

/**
 * Claims a number for a sandbox that joins a run, from 1. It is unique unless nothing can be written any more: then it
 * is 1.
 */
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

/** Creates a file. Returns false if another process has created it. */
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
 * Reads the lines of all reports one by one, as a report may exceed JavaScript's maximum length of a string. It skips a
 * last line that is incomplete because its process was killed.
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

/** Reports to the surrounding run, if there is one, that a sandbox started outside of it. */
export function reportOutsideSandbox(env: Readonly<Record<string, string | undefined>>, verb: string): void {
  const folder = env[runVariable]
  if (folder) openReport(folder)({ other: verb })
}
